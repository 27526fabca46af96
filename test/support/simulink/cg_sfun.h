// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stands at the end of an S-function that is compiled without MATLAB: a function of its name that tells the host its
// methods. Written for tests.

void S_FUNCTION_NAME(SimStruct *S);


void S_FUNCTION_NAME(SimStruct *S)
{
  S->initialize_sizes = mdlInitializeSizes;
  S->initialize_sample_times = mdlInitializeSampleTimes;
  S->outputs = mdlOutputs;
  S->terminate = mdlTerminate;
#ifdef MDL_START
  S->start = mdlStart;
#endif
#ifdef MDL_INITIALIZE_CONDITIONS
  S->initialize_conditions = mdlInitializeConditions;
#endif
#ifdef MDL_DERIVATIVES
  S->derivatives = mdlDerivatives;
#endif
#ifdef MDL_PROJECTION
  S->projection = mdlProjection;
#endif
#if defined(MDL_ZERO_CROSSINGS) && defined(NRT)
  S->zero_crossings = mdlZeroCrossings;
#endif
}

#if S_FUNCTION_LEVEL != 2
#error "an S-function of level 2 is expected"
#endif
