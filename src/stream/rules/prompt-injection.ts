import type { StreamEvent } from '../../steward/ports/stream-event.ts';

/** Words meant for a program rather than a person. */
const ADDRESSED_TO_A_PROGRAM =
  /ignore (?:all |any |the |your )*(?:previous|prior|above|earlier) (?:instructions|prompts?|rules)|disregard (?:all |any |the |your )*(?:previous|prior|above) |system prompt|you are (?:now )?an? (?:ai|assistant|language model|agent)|<\/?(?:system|assistant|instructions?)>|vault[- ]?steward|mutation_proposal|effect_confidence|target_path/i;

/** The highest confidence of anything that a mail addressed to a program says. */
export const PROGRAM_CEILING = 0.5;

/** Returns whether a mail speaks to the program that reads it: nothing it says is then surer than `PROGRAM_CEILING`. */
export function isAddressedToProgram({ subject, text }: StreamEvent): boolean {
  return ADDRESSED_TO_A_PROGRAM.test(`${subject}\n${text}`);
}
