import { EXIT, StewardError, systemCode } from '../../vault/errors.ts';
import type { Output, Printer } from '../print/printer.ts';
import { outputReason } from './output-reason.ts';

/**
 * Returns standard output for a command that has nothing more to do once it cannot be heard. A reader that closes its end
 * early (`steward log | head`) has seen enough: the process ends at once, and that is no error. Where the output fails
 * otherwise, it ends with 1 and says so on `err`.
 */
export function endingOutput(stream: NodeJS.WriteStream, err: Printer): Output {
  return forgiving(stream, (error) => {
    if (systemCode(error) === 'EPIPE') process.exit();
    err.trouble(outputFailed(error).trouble);
    process.exit(EXIT.refused);
  });
}

/** Returns standard error. What it does not take is lost: the exit code tells how the command ended, not the reader. */
export function diagnosticOutput(stream: NodeJS.WriteStream): Output {
  return forgiving(stream, () => {});
}

// Each failure comes to the write that it is about; as an event of the stream it would end the process.
function forgiving(stream: NodeJS.WriteStream, failed: (error: Error) => void): Output {
  stream.on('error', () => {});
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    write: (text) => void stream.write(text, (error) => (error instanceof Error ? failed(error) : undefined)),
  };
}

function outputFailed(error: Error): StewardError {
  return new StewardError({
    code: 'output-failed',
    message: `The output cannot be written: ${outputReason(error)}.`,
    hint: 'Send the output elsewhere, or mend where it goes, and ask again.',
  });
}
