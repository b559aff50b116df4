/** What an error of the system means for a file, in plain words, by its code. */
export const SYSTEM_ERRORS: Readonly<Record<string, { code: string; says: string; hint: string }>> = {
  ENOENT: { code: 'file-gone', says: 'is not there.', hint: 'It was moved or deleted meanwhile; nothing was changed.' },
  EACCES: {
    code: 'no-permission',
    says: 'may not be opened.',
    hint: 'Give the user who runs the daemon read and write permission.',
  },
  EPERM: {
    code: 'no-permission',
    says: 'may not be changed.',
    hint: 'Give the user who runs the daemon read and write permission.',
  },
  EROFS: {
    code: 'read-only',
    says: 'lies on a read-only disk.',
    hint: 'Mount the vault writable; until then nothing is changed.',
  },
  ENOSPC: {
    code: 'disk-full',
    says: 'could not be written: the disk is full.',
    hint: 'Free some room; the work is tried again by itself.',
  },
  EDQUOT: {
    code: 'disk-full',
    says: 'could not be written: the quota is used up.',
    hint: 'Free some room; the work is tried again by itself.',
  },
  EMFILE: {
    code: 'too-many-open',
    says: 'could not be opened: too many files are open.',
    hint: 'Raise the limit of open files (ulimit -n).',
  },
  ENFILE: {
    code: 'too-many-open',
    says: 'could not be opened: too many files are open.',
    hint: 'Close other programs or raise the limit.',
  },
  EIO: {
    code: 'disk-error',
    says: 'could not be read or written: the disk reports an error.',
    hint: 'Check the disk; the work is tried again by itself.',
  },
  EXDEV: {
    code: 'other-disk',
    says: 'lies on another file system than the vault.',
    hint: 'Keep record folders on the same file system as .steward.',
  },
  ELOOP: { code: 'link-loop', says: 'is a link that leads round in a circle.', hint: 'Remove the link.' },
  ENAMETOOLONG: { code: 'name-too-long', says: 'has too long a name.', hint: 'Give the note a shorter name.' },
};
