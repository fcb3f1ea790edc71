// SPDX-License-Identifier: MIT
// Before the page is drawn: the reader's choice of light or dark, and that
// scripts run.
(function () {
    var root = document.documentElement;
    root.classList.add("js");
    try {
        var theme = localStorage.getItem("warpbook-theme");
        if (theme === "light" || theme === "dark") root.dataset.theme = theme;
    } catch (e) { /* a browser that keeps nothing: the system's choice */ }
})();
