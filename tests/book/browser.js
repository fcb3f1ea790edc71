// SPDX-License-Identifier: MIT
// The built book as a reader meets it, in headless Chromium from file://, as
// TAP. Called by browser.sh with the folder of the HTML; PROFILE is an empty
// folder for the browser, SHOTS (if set) one for screenshots.
"use strict";
const fs = require("fs");
const path = require("path");
const puppeteer = require("puppeteer-core");

const html = path.resolve(process.argv[2]);
const AXE = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const PAGE_LIMIT = 300 * 1024; // bytes, before figures
const pages = fs.readdirSync(html).filter(f => f.endsWith(".html")).sort();
const url = (page, rest = "") => "file://" + path.join(html, page) + rest;
const requests = new Set(), mistakes = [];
let count = 0, failed = 0;

// A test is a function that returns what is wrong; nothing if all is well.
async function test(name, body) {
    let wrong;
    try {
        wrong = [(await body()) || []].flat();
    } catch (error) {
        wrong = [error.stack];
    }
    count++;
    if (wrong.length) failed++;
    console.log(`${wrong.length ? "not ok" : "ok"} ${count} - ${name}`);
    for (const line of wrong.join("\n").split("\n"))
        if (line) console.log("# " + line);
}

async function open_tab(browser, width = 1280, height = 900, scheme = "light") {
    const tab = await browser.newPage();
    await tab.setViewport({ width, height, hasTouch: width < 500 });
    await tab.emulateMediaFeatures([
        { name: "prefers-color-scheme", value: scheme },
        { name: "prefers-reduced-motion", value: "reduce" }]);
    tab.on("request", request => requests.add(request.url()));
    tab.on("pageerror", error => mistakes.push(tab.url() + ": " + error));
    tab.on("requestfailed", r => mistakes.push("not loaded: " + r.url()));
    return tab;
}

async function every_page(tab, body, list = pages) {
    const wrong = [];
    for (const page of list) {
        await tab.goto(url(page));
        for (const text of await body(page)) wrong.push(page + ": " + text);
    }
    return wrong;
}

async function axe(tab) {
    await tab.evaluate(() => {
        for (const d of document.querySelectorAll("main details")) d.open = true;
    });
    await tab.evaluate(AXE);
    const found = await tab.evaluate(() => window.axe.run());
    return found.violations
        .filter(v => v.impact === "serious" || v.impact === "critical")
        .map(v => `${v.id}: ${v.help}: ` +
            v.nodes.slice(0, 3).map(n => n.html.slice(0, 120)).join(" | "));
}

const sideways = tab => tab.evaluate(() => {
    for (const d of document.querySelectorAll("main details")) d.open = true;
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll("main *, header *")].filter(e =>
        e.getBoundingClientRect().right > width + 1 &&
        !e.closest(".listing, .table, math")).slice(0, 3)
        .map(e => "wider than the page: " + e.outerHTML.slice(0, 100))
        .concat("scrolls sideways");
});

function size(page) {
    const own = ["book.css", "book.js", "start.js", page];
    const bytes = own.reduce((sum, f) =>
        sum + fs.statSync(path.join(html, f)).size, 0);
    return bytes > PAGE_LIMIT ? [`${page}: ${bytes} bytes`] : [];
}

const lesson = pages.find(p => p.startsWith("07-")) || pages[0];
const background = tab => tab.evaluate(() =>
    getComputedStyle(document.body).backgroundColor);

async function search(tab) {
    await tab.goto(url("index.html"));
    await tab.keyboard.press("/");
    await tab.waitForSelector("dialog[open] input");
    await tab.keyboard.type("bank conflict");
    await tab.waitForSelector(".hits a");
    await Promise.all([tab.waitForNavigation(), tab.keyboard.press("Enter")]);
    const seen = await tab.evaluate(() => {
        const mark = document.querySelector("main mark");
        if (!mark) return null;
        const marked = [...document.querySelectorAll("main mark")]
            .map(m => m.textContent).join("").replace(/\s/g, " ");
        const box = mark.getBoundingClientRect();
        return { text: marked.toLowerCase(),
            visible: box.top > 0 && box.bottom < innerHeight };
    });
    if (!seen) return "nothing is marked on " + tab.url();
    if (seen.text !== "bank conflict") return "marked: " + seen.text;
    if (!seen.visible) return "the hit is not in view";
}

// What explains a term comes before what mentions it.
async function explained_first(tab) {
    const wrong = [];
    await tab.goto(url("index.html"));
    await tab.keyboard.press("/");
    await tab.waitForSelector("dialog[open] input");
    for (const [term, pages] of [["bank conflict", ["glossary", "06-"]],
        ["occupancy", ["anatomy", "glossary"]], ["sector", ["glossary", "0"]],
        ["coalesced", ["glossary"]], ["warp", ["glossary", "01-"]]]) {
        await tab.$eval("dialog input", (input, text) => {
            input.value = text;
            input.dispatchEvent(new Event("input"));
        }, term);
        const first = await tab.$eval(".hits a", a => a.getAttribute("href"));
        if (!pages.some(page => first.startsWith(page)))
            wrong.push(`${term}: the first hit is ${first}`);
    }
    return wrong;
}

// A page says its title once, and what it links to does so once each.
async function titles_once(tab) {
    await tab.goto(url("index.html"));
    return tab.evaluate(() => {
        const seen = {};
        for (const a of document.querySelectorAll("main a[href$='.html']"))
            if (a.checkVisibility() && !a.closest(".turn"))
                (seen[a.getAttribute("href")] ??= []).push(a);
        return Object.entries(seen).filter(([, list]) => list.filter(a =>
            a.closest(".contents")).length !== 1).map(([href]) =>
            "not once in the contents: " + href);
    });
}

// A calculator by keyboard, or by touch: what it says must follow.
async function calculator(tab, page, touch) {
    await tab.goto(url(page));
    const said = () => tab.$eval(".calculator .verdict", e => e.textContent);
    const before = await said();
    const slider = (await tab.$$(".calculator input[type=range]"))[1];
    if (touch) {
        await slider.evaluate(e => e.scrollIntoView({ block: "center" }));
        const box = await slider.boundingBox();
        if (box.height < 24) return `a slider ${box.height} pixels high`;
        await tab.touchscreen.tap(box.x + box.width * .9,
            box.y + box.height / 2);
    } else {
        await slider.focus();
        for (let i = 0; i < 12; i++) await tab.keyboard.press("ArrowRight");
    }
    await new Promise(done => setTimeout(done, 400));
    const after = await said();
    if (!before || before === after) return "it says what it said: " + before;
    const number = await tab.evaluate(() => {
        const field = document.querySelectorAll(".calculator .field")[2];
        return Number(field.querySelector("input[type=number]")?.value);
    });
    if (!Number.isFinite(number)) return "the number beside it is none";
}

// What a card does not allow is refused with the reason, and the slider ends at
// the card's limit; without scripts something else stands there.
async function too_much(browser) {
    const tab = await open_tab(browser), wrong = [];
    const field = n => `.calculator .field:nth-child(${n}) input`;
    const type = (n, value) => tab.$eval(field(n) + "[type=number]",
        (e, v) => { e.value = v; e.dispatchEvent(new Event("input")); }, value);
    const says = async pattern => {
        await new Promise(done => setTimeout(done, 400));
        const words = await tab.$eval(".calculator .verdict",
            e => e.textContent);
        if (!pattern.test(words)) wrong.push("it says: " + words);
    };
    await tab.goto(url("anatomy.html"));
    await says(/^3 blocks, 12 of 64 warps/);
    const t4 = await tab.$$eval(".calculator option", list =>
        list.find(o => o.textContent.includes("T4")).value);
    await tab.select(".calculator select", t4);
    await type(4, "100");
    await says(/^No block fits .* at most 64 KiB of shared memory/);
    const end = await tab.$eval(field(4) + "[type=range]", e => e.max);
    if (end !== "64") wrong.push(`the slider ends at ${end}`);
    await type(4, "24");
    await says(/^2 blocks/);
    await type(2, "1024");
    await type(3, "255");
    await says(/^No block fits .* 65,536/);
    for (const odd of ["", "-5", "1e99", "0", "nonsense"]) await type(3, odd);
    await says(/./);
    await tab.setJavaScriptEnabled(false);
    for (const page of ["anatomy.html", "roofline-by-hand.html"]) {
        await tab.goto(url(page));
        const [shown, inside] = await tab.$eval(".calculator", e => [
            e.querySelectorAll("img, td").length, e.querySelectorAll("h2")
                .length]);
        if (!shown || inside) wrong.push(`${page} without scripts`);
    }
    await tab.close();
    return wrong;
}

// Pictures move for whoever has not asked for rest, and stop when told.
async function motion(browser) {
    const tab = await open_tab(browser), wrong = [];
    const playing = () => tab.$$eval("img.moves", list =>
        list.filter(i => i.src.endsWith("#play")).length);
    await tab.goto(url("anatomy.html"));
    if (await playing()) wrong.push("it moves for who asks for rest");
    await tab.emulateMediaFeatures([
        { name: "prefers-reduced-motion", value: "no-preference" }]);
    await tab.goto(url("anatomy.html"));
    const all = await playing();
    if (all < 3) wrong.push(`${all} pictures move`);
    await tab.$eval("button.motion", b => b.click());
    if (await playing() !== all - 1) wrong.push("Stop does not stop it");
    await tab.close();
    return wrong;
}

// The first picture of the page as pixels; nothing where it has none.
async function picture(tab) {
    const image = await tab.$("main img");
    return image ? (await image.screenshot({ encoding: "base64" })) : null;
}

async function dark(tab) {
    await tab.goto(url(lesson));
    const light = await background(tab), by_day = await picture(tab);
    await tab.evaluate(() => scrollTo(0, 0));
    await tab.click("button.theme");
    if (by_day && await picture(tab) === by_day)
        return "the picture does not follow";
    const chosen = await background(tab);
    const scheme = await tab.evaluate(() =>
        getComputedStyle(document.documentElement).colorScheme);
    await tab.goto(url("index.html"));
    const kept = await background(tab);
    await tab.click("button.theme");
    if (chosen === light) return "the button changes nothing";
    if (scheme !== "dark") return "pictures are not told: " + scheme;
    if (kept !== chosen) return "the next page forgets it";
    if (await background(tab) !== light) return "no way back";
}

async function copy(tab) {
    await tab.goto(url(lesson));
    await tab.evaluate(() => {
        window.copied = null;
        document.addEventListener("copy", () => {
            window.copied = String(document.activeElement.value);
        });
        Object.defineProperty(navigator, "clipboard", { configurable: true,
            value: { writeText: async text => { window.copied = text; } } });
    });
    const wanted = await tab.$eval(".listing code", e => e.textContent);
    await tab.focus(".listing .copy");
    await tab.keyboard.press("Enter");
    await tab.waitForFunction(() =>
        document.querySelector(".copy").textContent === "Copied");
    const got = await tab.evaluate(() => window.copied);
    if (got !== wanted) return "copied: " + got;
}

// Tab through a page: every link, button and fold must get the focus, seen.
async function keyboard(tab) {
    await tab.goto(url(lesson));
    const total = await tab.evaluate(() => {
        const list = [...document.querySelectorAll(
            "a[href]:not([tabindex='-1']), button, summary, [tabindex='0']")]
            .filter(e => e.checkVisibility({ visibilityProperty: true }));
        list.forEach((e, i) => { e.dataset.stop = i; });
        return list.length;
    });
    const seen = new Set(), wrong = [];
    for (let i = 0; i < total + 20 && seen.size < total; i++) {
        await tab.keyboard.press("Tab");
        const at = await tab.evaluate(() => {
            const e = document.activeElement, style = getComputedStyle(e);
            return { stop: e.dataset.stop, html: e.outerHTML.slice(0, 80),
                shown: style.outlineStyle !== "none" &&
                    parseFloat(style.outlineWidth) > 0 };
        });
        if (at.stop === undefined) continue;
        seen.add(at.stop);
        if (!at.shown) wrong.push("no focus to be seen: " + at.html);
    }
    if (seen.size < total)
        wrong.push(...await tab.evaluate(stops =>
            [...document.querySelectorAll("[data-stop]")]
                .filter(e => !stops.includes(e.dataset.stop))
                .map(e => "not reached: " + e.outerHTML.slice(0, 80)),
            [...seen]));
    return wrong;
}

async function skip_link(tab) {
    await tab.goto(url(lesson));
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Enter");
    if (await tab.evaluate(() => document.activeElement.id) !== "main")
        return "the first Tab and Enter do not lead to the text";
}

async function answers(tab) {
    await tab.goto(url(lesson));
    await tab.focus("main details summary");
    await tab.keyboard.press("Enter");
    const shown = await tab.$eval("main details", d =>
        d.open && d.lastElementChild.checkVisibility());
    if (!shown) return "Enter does not unfold the first answer";
}

async function no_scripts(browser) {
    const tab = await browser.newPage();
    await tab.setJavaScriptEnabled(false);
    await tab.goto(url(lesson));
    const text = await tab.$eval("main", e => e.innerText.length);
    await tab.close();
    if (text < 1000) return "the text needs scripts";
}

async function shots(browser, folder) {
    const some = ["index.html", lesson,
        pages.find(p => p.startsWith("05-"))].filter(Boolean);
    fs.mkdirSync(folder, { recursive: true });
    for (const [kind, width, height, scheme] of [["light", 1360, 1000, "light"],
        ["dark", 1360, 1000, "dark"], ["phone", 360, 740, "light"]]) {
        const tab = await open_tab(browser, width, height, scheme);
        for (const page of some) {
            await tab.goto(url(page));
            await tab.screenshot({ path: path.join(folder,
                page.replace(".html", `-${kind}.png`)), fullPage: true });
        }
        await tab.close();
    }
}

async function main() {
    const browser = await puppeteer.launch({ headless: true,
        executablePath: "/usr/bin/chromium", protocolTimeout: 30000,
        userDataDir: process.env.PROFILE,
        args: ["--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking",
            "--disable-component-update", "--disable-sync",
            "--allow-file-access-from-files"] });
    const tab = await open_tab(browser);
    const night = await open_tab(browser, 1280, 900, "dark");
    const phone = await open_tab(browser, 360, 740);

    await test(`axe finds nothing serious on ${pages.length} pages, light`,
        () => every_page(tab, () => axe(tab)));
    await test("axe finds nothing serious on any page, dark",
        () => every_page(night, () => axe(night)));
    await test("axe finds nothing serious at phone width",
        () => every_page(phone, () => axe(phone)));
    await test("no page scrolls sideways at 360 pixels",
        () => every_page(phone, () => sideways(phone)));
    await test("every page is smaller than 300 KB", () => pages.flatMap(size));
    await tab.bringToFront(); // a tab behind others draws nothing
    await test("search finds `bank conflict` and lands on it",
        () => search(tab));
    await test("search finds what explains a term first",
        () => explained_first(tab));
    await test("the first page says each title once", () => titles_once(tab));
    for (const page of ["anatomy.html", "roofline-by-hand.html"]) {
        await test(`the calculator of ${page} by keyboard`,
            () => calculator(tab, page, false));
        await phone.bringToFront();
        await test(`the calculator of ${page} by touch at 360 pixels`,
            () => calculator(phone, page, true));
        await tab.bringToFront();
    }
    await test("a block that no card holds has its reason",
        () => too_much(browser));
    await tab.bringToFront();
    await test("pictures move, and stop for who wants that",
        () => motion(browser));
    await tab.bringToFront();
    await test("dark is chosen, kept and undone", () => dark(tab));
    await test("copy copies the code", () => copy(tab));
    await test("Tab reaches everything, and is seen", () => keyboard(tab));
    await test("the skip link leads to the text", () => skip_link(tab));
    await test("an answer unfolds by keyboard", () => answers(tab));
    await test("the text is there without scripts", () => no_scripts(browser));
    await test("no script fails, everything loads", () => mistakes);
    await test("no request leaves the page", () => [...requests].filter(r =>
        !r.startsWith("file://" + html + "/") && !r.startsWith("data:")));
    if (process.env.SHOTS) await shots(browser, process.env.SHOTS);
    await browser.close();
    console.log("1.." + count);
    process.exit(failed ? 1 : 0);
}

main();
