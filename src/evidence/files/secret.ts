import { fold } from '../../vault/note-names.ts';

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
  '.netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg .dockerconfigjson .envrc .s3cfg .boto .vault_pass .credentials .secrets .bash_history .zsh_history kubeconfig shadow credentials secrets passwords credentials.md secrets.md passwords.md token.json'.split(
    ' ',
  ),
);
const NAME =
  /^(?:\.env(?:[._-].*)?|.*\.env|id_(?:rsa|dsa|ecdsa|ed25519)[^.]*|.*\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|tfstate|tfvars))$/;
/** Files of data in whose names such a word stands. */
const DATA = /\.(?:json|ya?ml|toml|ini|txt|csv|env|xml)$/;
const WORD =
  /(?:^|[._ -])(?:credentials?|secrets?|passwords?|passwd|client_secret|api[_-]?keys?|service[_-]?account)[._ -]/;
/** What an editor or a person puts behind the name of a copy. */
const COPY = /(?:~|\.(?:bak|backup|old|orig|save|swp|tmp|\d{1,3}))$/;

/** Whether a path is, by its name alone, where keys and passwords are kept. Such a file is never read as evidence. */
export function isSecret(path: string): boolean {
  const segments = fold(path).split('/');
  const name = (segments.at(-1) ?? '').replace(COPY, '');
  if (segments.some((segment) => FOLDERS.has(segment)) || NAMES.has(name)) return true;
  return NAME.test(name) || (DATA.test(name) && WORD.test(name));
}
