/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c - strict reading of HITOP_* variables. */
#include <config.h>

#include "settings.h"

#include "../node/node.h"
#include "hitop/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_LAZY = 3,
    PAGE = 4096,
    MAX_RING = 1 << 30,
};

static enum hitop_status read_switch(struct hitop_settings *s, struct hitop_diag *diag)
{
    const char *text = getenv("HITOP_COLL");

    s->off = text && strcmp(text, "off") == 0;
    if (text && text[0] && !s->off && strcmp(text, "on") != 0) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "HITOP_COLL=%s: neither 'on' nor 'off'", text);
    }
    return HITOP_OK;
}

/* One of `n` words; 0 is the default. */
static enum hitop_status read_word(const char *name, const char *const *words, int n, int *out,
                                   struct hitop_diag *diag)
{
    const char *text = getenv(name);

    *out = 0;
    if (!text || !text[0]) {
        return HITOP_OK;
    }
    for (int i = 0; i < n; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return HITOP_OK;
        }
    }
    return hitop_fail(diag, HITOP_ERR_INVALID, "%s=%s: neither '%s' nor '%s'%s%s%s", name, text,
                      words[0], words[1], n > 2 ? " nor '" : "", n > 2 ? words[2] : "",
                      n > 2 ? "'" : "");
}

static enum hitop_status read_node(struct hitop_settings *s, struct hitop_diag *diag)
{
    static const char *const copies[] = {"auto", "off"};
    static const char *const waits[] = {
        [HITOP_WAIT_AUTO] = "auto", [HITOP_WAIT_SPIN] = "spin", [HITOP_WAIT_FUTEX] = "futex"};
    int word;
    enum hitop_status status = read_word("HITOP_SINGLE_COPY", copies, 2, &word, diag);

    s->single_copy = word == 0;
    if (status == HITOP_OK) {
        status = read_word("HITOP_WAIT", waits, 3, &word, diag);
        s->wait = (enum hitop_wait_mode)word;
    }
    return status;
}

static enum hitop_status read_int(const char *name, int min, int *out, struct hitop_diag *diag)
{
    const char *text = getenv(name);
    const int otherwise = *out;

    if (text && text[0] && hitop_text_int(text, min, INT_MAX, out, NULL) != HITOP_OK) {
        *out = otherwise;
        return hitop_fail(diag, HITOP_ERR_INVALID, "%s=%s: not an integer from %d on", name, text,
                          min);
    }
    return HITOP_OK;
}

static enum hitop_status read_ring(struct hitop_settings *s, struct hitop_diag *diag)
{
    const char *text = getenv("HITOP_RING");
    size_t bytes = HITOP_NODE_RING;

    if (text && text[0] &&
        (hitop_text_size(text, &bytes, NULL) != HITOP_OK || bytes < PAGE || bytes > MAX_RING)) {
        return hitop_fail(diag, HITOP_ERR_INVALID, "HITOP_RING=%s: not a size in 4KiB..1GiB", text);
    }
    s->ring = (int)(bytes / PAGE * PAGE);
    return HITOP_OK;
}

enum hitop_status hitop_settings_read(struct hitop_settings *out, struct hitop_diag *diag)
{
    const char *verbose = getenv("HITOP_VERBOSE");
    enum hitop_status status;

    *out = (struct hitop_settings){.lazy = DEFAULT_LAZY, .ring = HITOP_NODE_RING, .single_copy = 1};
    out->verbose = verbose && verbose[0] && strcmp(verbose, "0") != 0;
    status = read_switch(out, diag);
    if (status == HITOP_OK) {
        status = read_int("HITOP_LAZY", 0, &out->lazy, diag);
    }
    if (status == HITOP_OK) {
        status = read_int("HITOP_VNODE", 1, &out->per_node, diag);
    }
    if (status == HITOP_OK) {
        status = read_ring(out, diag);
    }
    if (status == HITOP_OK) {
        status = read_node(out, diag);
    }
    return status;
}
