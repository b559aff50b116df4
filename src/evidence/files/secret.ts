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
  '.netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass .my.cnf .git-credentials .htpasswd .dockercfg .dockerconfigjson .envrc .s3cfg .boto .vault_pass .credentials .secrets .bash_history .zsh_history kubeconfig shadow credentials secrets passwords credentials.md secrets.md passwords.md token.json seal-key anthropic_api_key'.split(
    ' ',
  ),
);
const NAME =
  /^(?:\.env(?:[._-].*)?|.*\.env|id_(?:rsa|dsa|ecdsa|ed25519)[^.]*|.*\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx?|ppk|asc|gpg|ovpn|tfstate|tfvars))$/;
/** Data files count as secret where their name contains one of the words below. */
const DATA = /\.(?:json|ya?ml|toml|ini|txt|csv|env|xml)$/;
const WORD =
  /(?:^|[._ -])(?:credentials?|secrets?|passwords?|passwd|client_secret|api[_-]?keys?|service[_-]?account)[._ -]/;
/** The suffix that an editor or a person adds to the name of a copy. */
const COPY = /(?:~|\.(?:bak|backup|old|orig|save|swp|tmp|\d{1,3}))$/;

/** Returns whether a path looks, by its name alone, like a file of keys or passwords. Such files are never read. */
export function isSecret(path: string): boolean {
  const segments = fold(path).split('/');
  const name = (segments.at(-1) ?? '').replace(COPY, '');
  if (segments.some((segment) => FOLDERS.has(segment)) || NAMES.has(name)) return true;
  return NAME.test(name) || (DATA.test(name) && WORD.test(name));
}
