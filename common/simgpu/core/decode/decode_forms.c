// SPDX-License-Identifier: MIT
/*
 * decode_forms.c: how the instructions outside decode_table.c's rows are
 * spelt. Interface: decode_forms.h.
 *
 * A form is a pattern: {a,b,} is a, b or nothing, and may be nested. What no
 * pattern matches is not taken, whatever its decoder would make of it, and a
 * test holds that each alternative here has an instruction that takes it.
 * Source: the PTX ISA; the order of words is the ISA's, and beside it that of
 * nvcc and of CUDA's headers where they write another
 * (atom.add.acquire.gpu.s32).
 */
#include "decode_forms.h"

#include <string.h>

#define SCOPE ".{cta,gpu,sys,cluster}"
#define CACHED                                                                 \
    "{.L1::evict_normal,.L1::evict_unchanged,.L1::evict_first,"                \
    ".L1::evict_last,.L1::no_allocate,}"                                       \
    "{.L2::evict_normal,.L2::evict_first,.L2::evict_last,}{.L2::cache_hint,}"
#define FETCHED "{.L2::64B,.L2::128B,.L2::256B,}"
#define VECTOR "{.v2,.v4,.v8,}"
#define WORDS                                                                  \
    ".{b8,b16,b32,b64,b128,u8,u16,u32,u64,s8,s16,s32,s64,f32,f64}"
#define LOAD_SPACE                                                             \
    "{.const,.global,.local,.param,.param::entry,.param::func,.shared,"        \
    ".shared::cta,}"
#define STORE_SPACE                                                            \
    "{.global,.local,.param,.param::func,.shared,.shared::cta,}"
#define STRONG_SPACE "{.global,.local,.shared,.shared::cta,}"
#define MEANING "{.relaxed,.acquire,.release,.acq_rel,}"
#define ATOM_SPACE "{.global,.shared,.shared::cta,}"
#define ORDERED                                                                \
    "{" MEANING "{" SCOPE ",}" ATOM_SPACE                                      \
    ",{.global,.shared,.shared::cta}" SCOPE "}"
#define ARITHMETIC                                                             \
    "{and.{b32,b64},or.{b32,b64},xor.{b32,b64},add.{u32,s32,u64,f32,f64},"     \
    "min.{u32,s32,u64,s64},max.{u32,s32,u64,s64},inc.u32,dec.u32,"             \
    "add.noftz.{f16,f16x2,bf16,bf16x2}}"
#define LATE MEANING "{" SCOPE ",}"
#define LATE_ARITHMETIC                                                        \
    "{{and,or,xor}" LATE ".{b32,b64},add" LATE ".{u32,s32,u64,f32,f64},"       \
    "{min,max}" LATE ".{u32,s32,u64,s64}}"
#define VECTORS                                                                \
    "{add.{v2,v4}.f32,"                                                        \
    "{add,min,max}.noftz.{{v2,v4,v8}.{f16,bf16},{v2,v4}.{f16x2,bf16x2}}}"
#define OBJECT_SPACE "{.shared,.shared::cta,}"
#define COMBINED "{.and,.or,.xor,}"
#define COMPARE                                                                \
    ".{eq,ne,lt,le,gt,ge,lo,ls,hi,hs,equ,neu,ltu,leu,gtu,geu,num,nan}" COMBINED
#define COMPARE_HALVES                                                         \
    ".{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}" COMBINED
#define NUMBERS "{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}"
#define INTEGERS "{u8,u16,u32,u64,s8,s16,s32,s64}"
#define FLOATS "{f16,bf16,f32,f64}"
#define CARRIED ".{u32,s32,u64,s64}"

static const char *const forms[] = {
    "mov.{pred,b128," NUMBERS "}",
    "ld{.weak,}" LOAD_SPACE "{.ca,.cg,.cs,.lu,.cv," CACHED "}" FETCHED VECTOR
        WORDS,
    "ld{.volatile,.relaxed" SCOPE ",.acquire" SCOPE "}" STRONG_SPACE CACHED
        FETCHED VECTOR WORDS,
    "ld.mmio.relaxed.sys{.global,}" WORDS,
    "ld.global{.ca,.cg,.cs,}.nc" CACHED FETCHED VECTOR WORDS,
    "ldu{.global,}{.v2,.v4,}" WORDS,
    "st{.weak,}" STORE_SPACE "{.wb,.cg,.cs,.wt," CACHED "}" VECTOR WORDS,
    "st{.volatile,.relaxed" SCOPE ",.release" SCOPE "}" STRONG_SPACE CACHED
        VECTOR WORDS,
    "st.mmio.relaxed.sys{.global,}" WORDS,
    "atom" ORDERED "." ARITHMETIC,
    "atom" ORDERED ".{exch.{b32,b64,b128},cas.{b16,b32,b64,b128}}",
    "atom" ATOM_SPACE "." LATE_ARITHMETIC,
    "atom" ATOM_SPACE ".{{exch,cas}" LATE ".{b32,b64,b128},cas" LATE ".b16}",
    "atom" MEANING "{" SCOPE ",}.global{" SCOPE ",}." VECTORS,
    "red" ORDERED "." ARITHMETIC,
    "red" ATOM_SPACE "." LATE_ARITHMETIC,
    "red" MEANING "{" SCOPE ",}.global{" SCOPE ",}." VECTORS,
    "cvta{.to,}.{global,shared,shared::cta,local,const,param}.u64",
    "isspacep.{global,shared,shared::cta,local,const,param,param::entry}",
    "prefetch{.global,.local,}.{L1,L2}",
    "prefetch.global.{L2::evict_last,L2::evict_normal}", "prefetchu.L1",
    "applypriority{.global,}.L2::evict_normal", "discard{.global,}.L2",
    "createpolicy.fractional.L2::{evict_last,evict_normal,evict_first,"
        "evict_unchanged}{.L2::evict_first,.L2::evict_unchanged,}.b64",
    "createpolicy.range{.global,}.L2::{evict_last,evict_normal,evict_first,"
        "evict_unchanged}{.L2::evict_first,.L2::evict_unchanged,}.b64",
    "createpolicy.cvt.L2.b64", "nanosleep.u32",
    "cp.async.{ca,cg}.shared{::cta,}.global{.L2::cache_hint,}" FETCHED,
    "cp.async.{commit_group,wait_group,wait_all}",
    "cp.async.mbarrier.arrive{.noinc,}" OBJECT_SPACE ".b64",
    "mbarrier.{init,inval}" OBJECT_SPACE ".b64",
    "mbarrier.{arrive,arrive_drop}{.noComplete,.expect_tx,}{.release.cta,}"
        OBJECT_SPACE ".b64",
    "mbarrier.{expect_tx,complete_tx}{.relaxed.cta,}" OBJECT_SPACE ".b64",
    "mbarrier.{test_wait,try_wait}{.parity,}{.acquire.cta,}" OBJECT_SPACE
        ".b64",
    "mbarrier.pending_count.b64",

    "cvt{.sat,}." INTEGERS "." INTEGERS,
    "cvt.{rni,rzi,rmi,rpi}{.ftz,}{.sat,}." INTEGERS "." FLOATS,
    "cvt{.rn,.rz,.rm,.rp,}{.sat,}." FLOATS "." INTEGERS,
    "cvt{.rn,.rz,.rm,.rp,.rni,.rzi,.rmi,.rpi,}{.ftz,}{.sat,}." FLOATS "."
        FLOATS,
    "setp" COMPARE "{.ftz,}." "{f16,bf16," NUMBERS "}",
    "set" COMPARE "{.ftz,}.{u32,s32,f32}." NUMBERS,
    "set" COMPARE_HALVES "{.ftz,}.{f16,bf16,u16,s16,u32,s32}.{f16,bf16}",
    "set" COMPARE_HALVES "{.ftz,}.{f16x2,bf16x2,u32,s32}.{f16x2,bf16x2}",
    "selp." NUMBERS,
    "{add,sub,mad.lo,mad.hi}.cc" CARRIED,
    "{addc,subc,madc.lo,madc.hi}{.cc,}" CARRIED,
    "lop3.b32", "shf.{l,r}.{clamp,wrap}.b32", "{and,or,xor,not}.pred",
    "testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64}",
    "bfi.{b32,b64}",

    "{bra,brx.idx,call,ret}{.uni,}", "exit", "trap", "brkpt",
    "pmevent{.mask,}", "alloca.u64", "stacksave.u64", "stackrestore.u64",
    "bar{.cta,}.{sync,arrive}", "barrier{.cta,}.{sync,arrive}{.aligned,}",
    "bar{.cta,}.red.{popc.u32,and.pred,or.pred}",
    "barrier{.cta,}.red.{popc{.aligned,}.u32,{and,or}{.aligned,}.pred}",
    "bar.warp.sync", "membar.{cta,gl,sys}",
    "fence{.sc,.acq_rel,}" SCOPE,
    "shfl.sync.{up,down,bfly,idx}.b32", "vote.sync.{all,any,uni}.pred",
    "vote.{sync.ballot,ballot.sync}.b32", "match.{any,all}.sync.{b32,b64}",
    "redux.sync.{{add,min,max}.{u32,s32},{and,or,xor}.b32,"
        "{min,max}{.abs,}{.NaN,}.f32}",
    "elect.sync", "activemask.b32",
    "griddepcontrol.{launch_dependents,wait}",
    "setmaxnreg.{inc,dec}.sync.aligned.u32",
};

size_t decode_forms(const char *const **list)
{
    *list = forms;
    return sizeof forms / sizeof *forms;
}

/* What follows the braces that are open. */
struct rest {
    const char *pattern;
    const struct rest *next;
};

static const char *end_of(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (depth == 0 && (*p == ',' || *p == '}'))
            return p;
        depth += (*p == '{') - (*p == '}');
    }
    return p;
}

static bool match(const char *p, const char *text, const struct rest *rest,
                  form_taken *took)
{
    for (; *p && *p != ',' && *p != '}'; p++, text++) {
        if (*p == '{') {
            const char *close = p, *from = p + 1;
            do
                close = end_of(close + 1);
            while (*close == ',');
            const struct rest after = {close + 1, rest};
            for (; from <= close; from = end_of(from) + 1)
                if (match(from, text, &after, took)) {
                    if (took)
                        took(from);
                    return true;
                }
            return false;
        }
        if (*p != *text)
            return false;
    }
    return rest ? match(rest->pattern, text, rest->next, took) : !*text;
}

bool form_matches(const char *form, const char *text, form_taken *took)
{
    return match(form, text, NULL, took);
}

bool form_known(const char *text, form_taken *took)
{
    bool any = false;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        bool begins = forms[k][0] == text[0] || forms[k][0] == '{';
        if (!begins || !form_matches(forms[k], text, took))
            continue;
        any = true;
        if (took)
            took(forms[k]);
    }
    return any;
}
