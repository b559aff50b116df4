import { DefaultFailureConverter, type ProtoFailure } from '@temporalio/common';

/** What a failure may be called in the engine: one of our own codes. */
const CODE = /^[a-z][a-z-]{0,39}$/;
const OTHER = 'fault';

/**
 * Tells the engine of a failure no more than its code: messages quote notes and paths, and stacks lie in them.
 */
class Failures extends DefaultFailureConverter {
  override errorToFailure(...given: Parameters<DefaultFailureConverter['errorToFailure']>): ProtoFailure {
    return bare(super.errorToFailure(...given));
  }
}

function bare(failure: ProtoFailure): ProtoFailure {
  const {
    cause,
    applicationFailureInfo: info,
    canceledFailureInfo: cancelled,
    encodedAttributes: _,
    ...rest
  } = failure;
  const type = CODE.test(info?.type ?? '') ? (info?.type ?? OTHER) : OTHER;
  return {
    ...rest,
    message: info ? type : OTHER,
    stackTrace: '',
    ...(info ? { applicationFailureInfo: { type, nonRetryable: info.nonRetryable ?? false } } : {}),
    ...(cancelled ? { canceledFailureInfo: {} } : {}),
    ...(cause ? { cause: bare(cause) } : {}),
  };
}

/** By this name the SDK finds it, in the host and in the workflow. */
export const failureConverter = new Failures();
