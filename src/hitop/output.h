/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HITOP_OUTPUT_H
#define HITOP_OUTPUT_H

/**
 * @file output.h
 * @brief Output files that appear complete or not at all.
 *
 * The content goes to a temporary file beside the target, with its mode, which replaces the target
 * after all writes have succeeded. "-" is standard output. A reader never sees an incomplete file,
 * and a failed run does not change an older file. The target of a symbolic link is replaced, not
 * the link; devices, pipes and names of open files, such as /dev/stdout, are written directly.
 *
 * @code
 * struct hitop_output *output = NULL;
 * status = hitop_output_open("model.json", &output, &diag);
 * fprintf(hitop_output_stream(output), "...");
 * status = hitop_output_commit(output, &diag); // or hitop_output_discard(output)
 * @endcode
 */

#include "hitop/status.h"

#include <stdio.h>

HITOP_BEGIN_DECLS

/** Opaque. hitop_output_commit(), hitop_output_end() or hitop_output_discard() ends it. */
struct hitop_output;

/**
 * Check that @p path can be written, for use before a long computation. Leaves no file; devices and
 * pipes are not opened.
 *
 * @retval HITOP_ERR_IO  it is a folder, or the temporary file cannot be created
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_output_check(const char *path,
                                                                struct hitop_diag *diag);

/**
 * Begin to write @p path.
 *
 * @param out  receives the output; set to NULL on failure
 * @retval HITOP_ERR_IO  it is a folder, or the temporary file cannot be created
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_output_open(const char *path, struct hitop_output **out, struct hitop_diag *diag);

/** The stream to write to; valid until commit or discard. */
HITOP_API FILE *hitop_output_stream(struct hitop_output *output);

/**
 * Flush, rename the file to its target and release @p output, also on failure.
 *
 * @retval HITOP_ERR_IO  any write or the final rename failed; the target is unchanged
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status hitop_output_commit(struct hitop_output *output,
                                                                 struct hitop_diag *diag);

/**
 * End the output: hitop_output_commit() if @p status is HITOP_OK, else hitop_output_discard();
 * after a failed write the message has the name of the file. NULL is allowed. A standard output
 * pipe that its reader has closed, as head(1) does, is not a failure if the process ignores
 * SIGPIPE.
 *
 * @return @p status, that of the commit, or HITOP_OK for such a pipe
 */
HITOP_API HITOP_MUST_CHECK enum hitop_status
hitop_output_end(struct hitop_output *output, enum hitop_status status, struct hitop_diag *diag);

/** Remove the temporary file and release @p output. NULL is allowed. */
HITOP_API void hitop_output_discard(struct hitop_output *output);

HITOP_END_DECLS

#endif /* HITOP_OUTPUT_H */
