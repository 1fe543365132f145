/* SPDX-License-Identifier: BSD-3-Clause */
/* measure_check.c - checks of options that depend on each other. */
#include <config.h>

#include "tools/measure/measure.h"

#include <string.h>

static const double usual_tolerance = 0.2;
static const size_t usual_min_stride = 64;

static int check_sizes(const struct tool *tool, struct measure_request *r)
{
    struct hitop_campaign_request *c = &r->campaign;
    struct hitop_refinement *rule = &c->options.refinement;
    const char adaptive = rule->min_stride != HITOP_STRIDE_NONE ? 's'
                          : r->range.most > 0                   ? 'n'
                          : rule->eps > 0                       ? 'd'
                                                                : 0;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    rule->min_stride = rule->min_stride == HITOP_STRIDE_NONE ? usual_min_stride : rule->min_stride;
    if (rule->min_stride == 0) {
        tool_error(tool, "-m, -M, -S: -s must be more than 0");
        return TOOL_USAGE;
    }
    if (hitop_campaign_sizes(c, &r->range, &r->sizes, &diag) != HITOP_OK) {
        tool_error(tool, "-m, -M, -S: %s", diag.message);
        return TOOL_USAGE;
    }
    if (adaptive && r->range.stride > 0) {
        tool_error(tool, "-%c goes with -S 0 only", adaptive);
        return TOOL_USAGE;
    }
    if (hitop_campaign_resolve(c, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--model", &diag);
    }
    if (hitop_campaign_check_sizes(c, &diag) != HITOP_OK) {
        tool_error(tool, "-m: %s", diag.message);
        return TOOL_USAGE;
    }
    if (c->options.min_samples > c->options.max_samples) {
        tool_error(tool, "-r: %d samples are more than the %d that -R allows",
                   c->options.min_samples, c->options.max_samples);
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static int check_model(const struct tool *tool, const struct measure_request *r)
{
    const struct hitop_campaign_request *c = &r->campaign;
    struct hitop_diag diag = HITOP_DIAG_INIT;

    if (c->npasses >= 0 && !c->needs_triples) {
        tool_error(tool, "--triples: model %s knows nothing of processors; lmo does", c->type);
        return TOOL_USAGE;
    }
    if (c->is_average && c->needs_triples) {
        tool_error(tool,
                   "--homogeneous does not go with -C %s: processors have parameters of their own",
                   c->all_models ? "all" : c->type);
        return TOOL_USAGE;
    }
    if (c->scatter_gather && hitop_campaign_check_fans(c, &diag) != HITOP_OK) {
        return tool_bad_option(tool, "--scatter-gather", &diag);
    }
    if (c->scatter_gather && r->simulate && !r->dry_run) {
        tool_error(tool, "--scatter-gather needs a job; a simulated network has no collectives");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

static int check_verification(const struct tool *tool, struct measure_request *r)
{
    struct hitop_campaign_request *c = &r->campaign;

    if (c->tolerance > 0 && c->nverify == 0 && !r->update) {
        tool_error(tool, "--tolerance goes with %s only",
                   r->is_flat ? "--update" : "--verify or --update");
        return TOOL_USAGE;
    }
    c->tolerance = c->tolerance > 0 ? c->tolerance : usual_tolerance;
    if (c->refine && c->needs_pair_sets && !c->all_models) {
        tool_error(tool, "--refine does not go with -C %s", c->type);
        return TOOL_USAGE;
    }
    if (c->refine && c->nverify == 0) {
        tool_error(tool, "--refine goes with --verify K only");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Check the options that an update excludes. */
static int check_update(const struct tool *tool, const struct measure_request *r)
{
    const char *other = r->campaign.all_models ? "-C all: it keeps the formula of the earlier model"
                        : r->campaign.nverify > 0 ? "--verify: it checks every class by itself"
                        : r->journal              ? "--journal: it is short, and is begun anew"
                                                  : NULL;

    if (!r->update) {
        return TOOL_DONE;
    }
    if (other) {
        tool_error(tool, "--update does not go with %s", other);
        return TOOL_USAGE;
    }
    if (r->input && strcmp(r->update, "-") == 0 && strcmp(r->input, "-") == 0) {
        tool_error(tool, "standard input cannot be both the model of --update and the hierarchy");
        return TOOL_USAGE;
    }
    return TOOL_DONE;
}

/* Two outputs may not have the same file. */
static int check_outputs(const struct tool *tool, const struct measure_request *r)
{
    const struct tool_file outputs[] = {{"-o", r->output},
                                        {"--annotate", r->annotate},
                                        {"--points", r->points},
                                        {"--journal", r->journal}};

    for (size_t i = 0; i < sizeof(outputs) / sizeof(outputs[0]); i++) {
        for (size_t k = 0; k < i; k++) {
            if (outputs[i].path && outputs[k].path &&
                strcmp(outputs[i].path, outputs[k].path) == 0 &&
                strcmp(outputs[i].path, "/dev/null") != 0) {
                tool_error(tool, "%s and %s name the same file, '%s'", outputs[k].option,
                           outputs[i].option, outputs[i].path);
                return TOOL_USAGE;
            }
        }
    }
    return TOOL_DONE;
}

int measure_request_check(const struct tool *tool, struct measure_request *r)
{
    const int is_complete = r->input || r->is_flat || r->platform;

    if (!is_complete || (!r->output && !r->dry_run)) {
        tool_error(tool, "%s is needed; see %s --help",
                   !is_complete ? "-i FILE (a hierarchy)" : "-o FILE (the model file to write)",
                   tool->name);
        return TOOL_USAGE;
    }
    if (measure_platform_check(tool, r) != TOOL_DONE || check_sizes(tool, r) != TOOL_DONE) {
        return TOOL_USAGE;
    }
    if (r->noise > 0 && !r->simulate) {
        tool_error(tool, "--noise goes with --simulate only");
        return TOOL_USAGE;
    }
    if (r->resume && !r->journal) {
        tool_error(tool, "%s needs --journal FILE, from which to go on",
                   r->resume_anyway ? "--resume-anyway" : "--resume");
        return TOOL_USAGE;
    }
    return check_model(tool, r) == TOOL_DONE && check_verification(tool, r) == TOOL_DONE &&
                   check_update(tool, r) == TOOL_DONE && check_outputs(tool, r) == TOOL_DONE
               ? TOOL_DONE
               : TOOL_USAGE;
}
