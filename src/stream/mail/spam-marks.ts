import { readAuthenticationResults } from './authentication-results.ts';
import { cutAt } from './plain-text.ts';

/** How servers and filters say that a mail is spam or phishing: the header in lower case, and what it then says. */
const MARKS: readonly (readonly [header: RegExp, says: RegExp])[] = [
  [/^x-spam(?:-flag|-status|-report-flag)?$/, /^\s*(?:yes|true|1)\b/i],
  [/^x-spam-(?:level|bar)$|^x-spamd-bar$/, /^\s*[*+s]{5}/i],
  [/^x-(?:rspamd|spam)-action$/, /\b(?:reject|add[ _]header|rewrite[ _]subject|quarantine|discard)\b/i],
  [/^x-spamd-result$/, /^\s*\w+:\s*true\b/i],
  [/^x-forefront-antispam-report$/, /\bSFV:(?:SPM|SKS|SKB|BLK)\b|\bSCL:[5-9]\b/i],
  [
    /^x-forefront-antispam-report$/,
    /\bCAT:(?:SPM|HSPM|PHSH|HPHSH|HPHISH|MALW|SPOOF|[UDGB]IMP|OSPM|INTOS|FTBP|SAP|AMP)\b/i,
  ],
  [/^x-ms-exchange-organization-(?:scl|pcl)$/, /^\s*[5-9]\b/],
  [/^x-gm-(?:spam|phishy)$/, /^\s*1\b/],
  [
    /^x-(?:barracuda|mailscanner|proofpoint)-spam(?:-?status|-?check|-details)?$/,
    /^\s*(?:yes|spam)\b|\brule=(?:spam|phish)/i,
  ],
  [/^x-mailscanner-spamcheck$/, /^\s*spam\b/i],
  [/^x-(?:dspam-result|bogosity|crm114-status|vr-spamstate|spam-class)$/, /^\s*(?:spam|yes|bad)\b/i],
  [/^x-(?:virus-status|virus-scanned-result)$/, /^\s*(?:yes|infected)\b/i],
];
const METHODS = /^(?:compauth|x-(?:spam|phish)\w*)$/;

/**
 * Returns what marks a mail as spam or phishing; null where nothing does. Who wrote the header does not matter: a forged
 * mark only makes the program more careful, and no mark that says the opposite counts.
 */
export function spamMark(headers: readonly { readonly key: string; readonly value: string }[]): string | null {
  const marked = headers.find(({ key, value }) => {
    const said = cutAt(value, 2000);
    return MARKS.some(([header, says]) => header.test(key) && says.test(said)) || saysSo(key, said);
  });
  return marked === undefined ? null : `${marked.key} marks it as spam or phishing`;
}

/** Whether a header of this name, in lower case, may mark a mail as spam or phishing. */
export function isSpamHeader(name: string): boolean {
  return MARKS.some(([header]) => header.test(name));
}

function saysSo(key: string, value: string): boolean {
  if (key !== 'authentication-results') return false;
  return (readAuthenticationResults(value)?.results ?? []).some(
    ({ method, result }) => METHODS.test(method) && /^(?:fail|yes|spam|phish)/.test(result),
  );
}
