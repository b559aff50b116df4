import fs from 'node:fs';
import { StewardError } from '../errors.ts';
import type { FileBytes } from '../files.ts';

/**
 * Returns why a note must not be edited, judged by how it lies on the disk, or null where it may. `file`: its
 * vault-relative path; `place`: the file itself.
 */
export function editRefusal(file: string, place: string, { links, uid }: FileBytes): StewardError | null {
  if (links > 1) return linked(file, links);
  const isForeign = uid !== process.geteuid?.();
  return isForeign && !isWritable(place) ? foreign(file) : null;
}

/** Returns the refusal of a note whose attributes can neither be given to a new file nor be left in their place. */
export function attributesRefusal(file: string): StewardError {
  return new StewardError({
    code: 'attributes-lost',
    file,
    message: `${file} has an owner or attributes that an edit on this file system would take away.`,
    hint: 'Let the note belong to the user who runs the daemon, or edit it by hand.',
  });
}

// A rename would part the names, and writing in place would write into a file that may lie outside the vault.
function linked(file: string, links: number): StewardError {
  return new StewardError({
    code: 'note-linked',
    file,
    message: `${file} has ${links} names on this disk (a hard link), and an edit would reach or part the others.`,
    hint: `Make it a file of its own (cp -p NOTE NOTE.new && mv NOTE.new NOTE), or use a symbolic link.`,
  });
}

// Replacing it would be possible, since that asks only for the folder; but it would go round what its owner has said.
function foreign(file: string): StewardError {
  return new StewardError({
    code: 'note-not-ours',
    file,
    message: `${file} belongs to another user, who does not let this one write into it.`,
    hint: 'Give the group of the user who runs the daemon write permission (chmod g+w), or leave it as it is.',
  });
}

function isWritable(place: string): boolean {
  try {
    fs.accessSync(place, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
