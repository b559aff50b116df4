/** How much of a file is looked at for credentials: their files are short, or begin with them. */
const HEAD_CHARS = 8_192;
/** A private key as it is kept in a file: the mark on a line of its own, wherever it stands, and a line of key below. */
const PRIVATE_KEY =
  /^[ \t]*-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[ \t]*\r?\n(?:[ \t]*[A-Za-z-]+:[^\n]*\n)*\s*[A-Za-z0-9+/=]{16,}/m;
const CREDENTIALS: readonly RegExp[] = [
  /^PuTTY-User-Key-File-\d/, // PuTTY
  /^AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{20,}/im, // age
  /^"?-----BEGIN [A-Z ]*PRIVATE KEY-----\\n/m,
  /"private_key"\s*:\s*"-----BEGIN /, // service accounts
  /^[ \t]*(?:export[ \t]+)?aws_secret_access_key[ \t]*=[ \t]*\S{16,}/im,
  /^[ \t]*client-key-data:[ \t]*\S{16,}/m, // kubeconfig
  /^[ \t]*machine[ \t]+\S+[ \t]+login[ \t]+\S+[ \t]+password[ \t]+\S/m, // .netrc
  /^(?:\/\/[^\s:=]+\/:)?_(?:authToken|password|auth)[ \t]*=[ \t]*\S{8,}/m, // .npmrc
  /"auths"\s*:\s*\{[\s\S]{0,2000}?"auth"\s*:\s*"[A-Za-z0-9+/=]{8,}"/, // Docker
  /^\s*(?:sk-ant-|ghp_|github_pat_|glpat-|xox[bp]-)[\w-]{16,}\s*$/, // nothing but a token
  /^https?:\/\/[^\s:/@]+:[^\s/@]+@[\w.-]+\/?$/m, // .git-credentials
];

/** One of these stands in whatever the patterns above find: most files hold none, and are searched once. */
const MARKS =
  /PuTTY-User|AGE-SECRET|PRIVATE KEY|private_key|aws_secret|client-key-data|machine|_auth|_password|"auths"|sk-ant-|ghp_|github_pat_|glpat-|xox[bp]-|:\/\//i;

/** Returns whether a text is, by what stands in it, a private key or a file of credentials, whatever its name. */
export function holdsSecret(text: string): boolean {
  const head = text.slice(0, HEAD_CHARS);
  if (text.includes('PRIVATE KEY') && PRIVATE_KEY.test(text)) return true;
  return MARKS.test(head) && CREDENTIALS.some((pattern) => pattern.test(head));
}
