import { fold } from '../vault/names.ts';

const FOLDERS: ReadonlySet<string> = new Set([
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.steward',
  '.git',
]);
const NAMES: ReadonlySet<string> = new Set(
  '.netrc _netrc .npmrc .yarnrc .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg .envrc shadow credentials secrets passwords'.split(
    ' ',
  ),
);
const NAME =
  /^(?:\.env(?:\..*)?|.*\.env|id_(?:rsa|dsa|ecdsa|ed25519)[^.]*|(?:credentials?|secrets?|passwords?|client_secret)(?:[._-].*)?\.(?:json|ya?ml|toml|ini|txt|csv|env|xml)|.*\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|asc|gpg|ovpn))$/;

/** Whether a path is, by its name alone, where keys and passwords are kept. Such a file is never read as evidence. */
export function isSecret(path: string): boolean {
  const segments = fold(path).split('/');
  const name = segments.at(-1) ?? '';
  return segments.some((segment) => FOLDERS.has(segment)) || NAMES.has(name) || NAME.test(name);
}
