// SPDX-License-Identifier: MIT
/*
 * errors.c: CUDA's error codes, by number; see errors.h.
 *
 * The numbers are part of CUDA's ABI and the same in every toolkit since
 * 11.0, so this file needs no CUDA header and also knows codes of newer
 * toolkits than the installed one. A code without a text of its own gets its
 * name in words: cudaErrorInvalidDevice becomes "invalid device".
 */
#include "errors.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 64 };

static const struct error {
    int code;
    const char *name, *text;
} errors[] = {
    {0, "cudaSuccess", "no error"},
    {1, "cudaErrorInvalidValue", "invalid argument"},
    {2, "cudaErrorMemoryAllocation", "out of memory"},
    {3, "cudaErrorInitializationError", "initialization error"},
    {4, "cudaErrorCudartUnloading", NULL},
    {5, "cudaErrorProfilerDisabled", NULL},
    {6, "cudaErrorProfilerNotInitialized", NULL},
    {7, "cudaErrorProfilerAlreadyStarted", NULL},
    {8, "cudaErrorProfilerAlreadyStopped", NULL},
    {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {12, "cudaErrorInvalidPitchValue", NULL},
    {13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {16, "cudaErrorInvalidHostPointer", NULL},
    {17, "cudaErrorInvalidDevicePointer", NULL},
    {18, "cudaErrorInvalidTexture", NULL},
    {19, "cudaErrorInvalidTextureBinding", NULL},
    {20, "cudaErrorInvalidChannelDescriptor", NULL},
    {21, "cudaErrorInvalidMemcpyDirection", NULL},
    {22, "cudaErrorAddressOfConstant", NULL},
    {23, "cudaErrorTextureFetchFailed", NULL},
    {24, "cudaErrorTextureNotBound", NULL},
    {25, "cudaErrorSynchronizationError", NULL},
    {26, "cudaErrorInvalidFilterSetting", NULL},
    {27, "cudaErrorInvalidNormSetting", NULL},
    {28, "cudaErrorMixedDeviceExecution", NULL},
    {31, "cudaErrorNotYetImplemented", NULL},
    {32, "cudaErrorMemoryValueTooLarge", NULL},
    {34, "cudaErrorStubLibrary", NULL},
    {35, "cudaErrorInsufficientDriver", "the driver is older than the runtime"},
    {36, "cudaErrorCallRequiresNewerDriver", NULL},
    {37, "cudaErrorInvalidSurface", NULL},
    {43, "cudaErrorDuplicateVariableName", NULL},
    {44, "cudaErrorDuplicateTextureName", NULL},
    {45, "cudaErrorDuplicateSurfaceName", NULL},
    {46, "cudaErrorDevicesUnavailable", "the device is busy or unavailable"},
    {49, "cudaErrorIncompatibleDriverContext", NULL},
    {52, "cudaErrorMissingConfiguration", NULL},
    {53, "cudaErrorPriorLaunchFailure", NULL},
    {65, "cudaErrorLaunchMaxDepthExceeded", NULL},
    {66, "cudaErrorLaunchFileScopedTex", NULL},
    {67, "cudaErrorLaunchFileScopedSurf", NULL},
    {68, "cudaErrorSyncDepthExceeded", NULL},
    {69, "cudaErrorLaunchPendingCountExceeded", NULL},
    {98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {102, "cudaErrorDeviceNotLicensed", NULL},
    {103, "cudaErrorSoftwareValidityNotEstablished", NULL},
    {127, "cudaErrorStartupFailure", NULL},
    {200, "cudaErrorInvalidKernelImage", NULL},
    {201, "cudaErrorDeviceUninitialized", NULL},
    {205, "cudaErrorMapBufferObjectFailed", NULL},
    {206, "cudaErrorUnmapBufferObjectFailed", NULL},
    {207, "cudaErrorArrayIsMapped", NULL},
    {208, "cudaErrorAlreadyMapped", NULL},
    {209, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {210, "cudaErrorAlreadyAcquired", NULL},
    {211, "cudaErrorNotMapped", NULL},
    {212, "cudaErrorNotMappedAsArray", NULL},
    {213, "cudaErrorNotMappedAsPointer", NULL},
    {214, "cudaErrorECCUncorrectable", NULL},
    {215, "cudaErrorUnsupportedLimit", NULL},
    {216, "cudaErrorDeviceAlreadyInUse", NULL},
    {217, "cudaErrorPeerAccessUnsupported", NULL},
    {218, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {219, "cudaErrorInvalidGraphicsContext", NULL},
    {220, "cudaErrorNvlinkUncorrectable", NULL},
    {221, "cudaErrorJitCompilerNotFound", NULL},
    {222, "cudaErrorUnsupportedPtxVersion",
     "the PTX is of a newer version than the device understands"},
    {223, "cudaErrorJitCompilationDisabled", NULL},
    {224, "cudaErrorUnsupportedExecAffinity", NULL},
    {225, "cudaErrorUnsupportedDevSideSync", NULL},
    {226, "cudaErrorContained", NULL},
    {300, "cudaErrorInvalidSource", NULL},
    {301, "cudaErrorFileNotFound", NULL},
    {302, "cudaErrorSharedObjectSymbolNotFound", NULL},
    {303, "cudaErrorSharedObjectInitFailed", NULL},
    {304, "cudaErrorOperatingSystem", NULL},
    {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {401, "cudaErrorIllegalState", NULL},
    {402, "cudaErrorLossyQuery", NULL},
    {500, "cudaErrorSymbolNotFound", NULL},
    {600, "cudaErrorNotReady", "device not ready"},
    {700, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {701, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {703, "cudaErrorLaunchIncompatibleTexturing", NULL},
    {704, "cudaErrorPeerAccessAlreadyEnabled", NULL},
    {705, "cudaErrorPeerAccessNotEnabled", NULL},
    {708, "cudaErrorSetOnActiveProcess", NULL},
    {709, "cudaErrorContextIsDestroyed", NULL},
    {710, "cudaErrorAssert", "device-side assert triggered"},
    {711, "cudaErrorTooManyPeers", NULL},
    {712, "cudaErrorHostMemoryAlreadyRegistered", NULL},
    {713, "cudaErrorHostMemoryNotRegistered", NULL},
    {714, "cudaErrorHardwareStackError", NULL},
    {715, "cudaErrorIllegalInstruction", NULL},
    {716, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, "cudaErrorInvalidAddressSpace", NULL},
    {718, "cudaErrorInvalidPc", NULL},
    {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, "cudaErrorCooperativeLaunchTooLarge", NULL},
    {721, "cudaErrorTensorMemoryLeak", NULL},
    {800, "cudaErrorNotPermitted", NULL},
    {801, "cudaErrorNotSupported", "operation not supported"},
    {802, "cudaErrorSystemNotReady", NULL},
    {803, "cudaErrorSystemDriverMismatch", NULL},
    {804, "cudaErrorCompatNotSupportedOnDevice", NULL},
    {805, "cudaErrorMpsConnectionFailed", NULL},
    {806, "cudaErrorMpsRpcFailure", NULL},
    {807, "cudaErrorMpsServerNotReady", NULL},
    {808, "cudaErrorMpsMaxClientsReached", NULL},
    {809, "cudaErrorMpsMaxConnectionsReached", NULL},
    {810, "cudaErrorMpsClientTerminated", NULL},
    {811, "cudaErrorCdpNotSupported", NULL},
    {812, "cudaErrorCdpVersionMismatch", NULL},
    {900, "cudaErrorStreamCaptureUnsupported", NULL},
    {901, "cudaErrorStreamCaptureInvalidated", NULL},
    {902, "cudaErrorStreamCaptureMerge", NULL},
    {903, "cudaErrorStreamCaptureUnmatched", NULL},
    {904, "cudaErrorStreamCaptureUnjoined", NULL},
    {905, "cudaErrorStreamCaptureIsolation", NULL},
    {906, "cudaErrorStreamCaptureImplicit", NULL},
    {907, "cudaErrorCapturedEvent", NULL},
    {908, "cudaErrorStreamCaptureWrongThread", NULL},
    {909, "cudaErrorTimeout", NULL},
    {910, "cudaErrorGraphExecUpdateFailure", NULL},
    {911, "cudaErrorExternalDevice", NULL},
    {912, "cudaErrorInvalidClusterSize", NULL},
    {913, "cudaErrorFunctionNotLoaded", NULL},
    {914, "cudaErrorInvalidResourceType", NULL},
    {915, "cudaErrorInvalidResourceConfiguration", NULL},
    {999, "cudaErrorUnknown", "unknown error"},
    {10000, "cudaErrorApiFailureBase", NULL},
};

enum { N_ERRORS = sizeof errors / sizeof errors[0] };

static int by_code(const void *key, const void *row)
{
    int code = *(const int *)key, other = ((const struct error *)row)->code;
    return (code > other) - (code < other);
}

static const struct error *find(int code)
{
    return bsearch(&code, errors, N_ERRORS, sizeof errors[0], by_code);
}

const char *simgpu_error_name(int error)
{
    const struct error *row = find(error);
    return row ? row->name : NULL;
}

/* "cudaErrorInvalidDevice" -> "invalid device" */
static void spell(const char *name, char text[MAX_TEXT])
{
    size_t n = 0;
    for (name += strlen("cudaError"); *name && n + 2 < MAX_TEXT; name++) {
        if (isupper((unsigned char)*name) && n > 0)
            text[n++] = ' ';
        text[n++] = (char)tolower((unsigned char)*name);
    }
    text[n] = '\0';
}

const char *simgpu_error_text(int error)
{
    static char spelt[N_ERRORS][MAX_TEXT]; /* every thread writes the same */
    const struct error *row = find(error);
    if (!row || row->text)
        return row ? row->text : NULL;
    char *text = spelt[row - errors];
    if (!text[0])
        spell(row->name, text);
    return text;
}
