/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PREDICT_SETUP_H
#define PREDICT_SETUP_H

/* predict_setup.h - make the question that the options ask of a model. */

#include "tools/predict/predict.h"
#include "tools/predict/predict_options.h"

/* Fill the request once the model is read; TOOL_DONE, or what the tool exits with after saying why. */
int predict_setup(struct predict_settings *s);

/* The blocks of v-operations from a file. */

#endif /* PREDICT_SETUP_H */
