/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * platform_xml.c - read a platform file of SimGrid.
 *
 * Elements that change no route (prop of hosts, actors, traces, storage) are skipped; elements that
 * do and are not known are errors with their line.
 */
#include <config.h>

#include "models/simgrid/platform_impl.h"
#include "models/simgrid/platform_read.h"

#include "src/grow.h"

#include "hitop/input.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_EXPAT
#include <expat.h>

static int line_of(const struct platform_reader *r)
{
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
    return (int)XML_GetCurrentLineNumber64(r->parser); /* 2.9 warns about the other one */
#else
    return (int)XML_GetCurrentLineNumber(r->parser);
#endif
}

static void XMLCALL begin(void *data, const XML_Char *name, const XML_Char **attributes)
{
    struct platform_reader *r = data;

    if (r->status == HITOP_OK) {
        r->line = line_of(r);
        r->element = name;
        r->attributes = attributes;
        hitop_platform_element_begin(r);
    }
    if (r->status != HITOP_OK) {
        (void)XML_StopParser(r->parser, XML_FALSE);
    }
}

static void XMLCALL end(void *data, const XML_Char *name)
{
    struct platform_reader *r = data;

    if (r->status == HITOP_OK) {
        r->line = line_of(r);
        r->element = name;
        hitop_platform_element_end(r);
    }
    if (r->status != HITOP_OK) {
        (void)XML_StopParser(r->parser, XML_FALSE);
    }
}

/* Entities of a file could grow without bounds. */
static void XMLCALL refuse_entity(void *data, const XML_Char *name, int is_parameter,
                                  const XML_Char *value, int length, const XML_Char *base,
                                  const XML_Char *system, const XML_Char *public,
                                  const XML_Char *notation)
{
    struct platform_reader *r = data;

    (void)is_parameter, (void)value, (void)length;
    (void)base, (void)system, (void)public, (void)notation;
    r->line = line_of(r);
    hitop_platform_refuse(r, "entity '%.40s': entities are not supported", name);
    (void)XML_StopParser(r->parser, XML_FALSE);
}

static enum hitop_status parse(struct platform_reader *r, const char *text, size_t length)
{
    XML_Parser parser = XML_ParserCreate(NULL);

    if (!parser) {
        return HITOP_ERR_NOMEM;
    }
    r->parser = parser;
    XML_SetUserData(parser, r);
    XML_SetElementHandler(parser, begin, end);
    XML_SetEntityDeclHandler(parser, refuse_entity);
    if (XML_Parse(parser, text, (int)length, 1) != XML_STATUS_OK && r->status == HITOP_OK) {
        r->status = hitop_fail(r->diag, HITOP_ERR_FORMAT, "%s:%d: not XML: %s", r->p->file,
                               line_of(r), XML_ErrorString(XML_GetErrorCode(parser)));
    }
    XML_ParserFree(parser);
    return r->status;
}
#else
static enum hitop_status parse(struct platform_reader *r, const char *text, size_t length)
{
    (void)text, (void)length;
    return hitop_fail(r->diag, HITOP_ERR_UNSUPPORTED,
                      "%s: this build reads no platforms of SimGrid: configure did not find expat",
                      r->p->file);
}
#endif

enum hitop_status hitop_platform_read(const char *path, struct platform *p, struct hitop_diag *diag)
{
    struct platform_reader r = {.p = p, .diag = diag, .status = HITOP_OK, .zone = -1};
    char *text = NULL;
    size_t length = 0;
    enum hitop_status status = hitop_input_read_text(path, &text, &length, diag);

    *p = (struct platform){.file = hitop_input_name(path), .window = PLATFORM_WINDOW};
    if (status == HITOP_OK && length > (size_t)1 << 30) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: longer than 1 GiB", p->file);
    }
    if (status == HITOP_OK) {
        status = parse(&r, text, length);
    }
    free(text);
    if (status == HITOP_OK && p->nzones == 0) {
        status = hitop_fail(diag, HITOP_ERR_FORMAT, "%s: no <zone>: not a platform", p->file);
    }
    if (status == HITOP_OK) {
        status = hitop_platform_seal(p, diag);
    }
    if (status == HITOP_ERR_NOMEM || p->text.out_of_memory) {
        return hitop_fail(diag, HITOP_ERR_NOMEM, "%s: out of memory", p->file);
    }
    return status;
}

void hitop_platform_clear(struct platform *p)
{
    hitop_text_index_clear(&p->point_names);
    hitop_text_index_clear(&p->link_names);
    hitop_storage_clear(&p->text);
    free(p->point);
    free(p->link);
    free(p->zone);
    free(p->route);
}
