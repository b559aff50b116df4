import { marked } from 'marked';
import { parse } from 'yaml';

const DRAWN = `<script>document.documentElement.setAttribute('data-drawn', '')</script>`;

function page(style: string, body: string, script = DRAWN): string {
  return `<!doctype html><html><head><meta charset="utf-8"><style>body { margin: 0; display: flow-root; } ${style}</style></head><body>${body}${script}</body></html>`;
}

/** Returns the page of a terminal's screen. `screen`: its HTML, with colours. */
export function terminalPage(screen: string): string {
  const style = `
    body { background: #fff; padding: 14px; }
    .window { background: #1e1e2e; border-radius: 9px; padding: 12px 18px 18px; color: #cdd6f4; }
    .bar i { display: inline-block; width: 11px; height: 11px; border-radius: 50%; margin: 0 6px 10px 0; background: #585b70; }
    pre { margin: 0; font: 13px/1.42 'DejaVu Sans Mono', monospace; white-space: pre; }`;
  return page(style, `<div class="window"><div class="bar"><i></i><i></i><i></i></div><pre>${screen}</pre></div>`);
}

/** Returns the page of a note, drawn after Obsidian's own look, with the style sheet that comes with the program. */
export function notePage(title: string, text: string, sheet: string): string {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const fields: unknown = parse(head);
  const shown = Object.entries(fields !== null && typeof fields === 'object' ? fields : {}).map(([key, value]) =>
    property(key, value),
  );
  const style = `
    body { background: #fff; padding: 14px; --text-muted: #6b6b6b; }
    .view { border: 1px solid #e3e3e3; border-radius: 9px; padding: 22px 30px; font: 15px/1.5 'DejaVu Sans', sans-serif; color: #222; }
    h1 { font-size: 19px; margin: 0 0 14px; }
    .metadata-container { border: 1px solid #e8e8e8; border-radius: 7px; padding: 8px 12px; margin-bottom: 18px; font-size: 13px; }
    .metadata-property { display: flex; padding: 3px 0; }
    .metadata-property-key { width: 130px; color: var(--text-muted); flex: none; }
    .metadata-property-value { white-space: pre-wrap; }
    .internal-link, a { color: #6c49c9; text-decoration: none; }
    table { border-collapse: collapse; font-size: 14px; } td, th { border: 1px solid #ddd; padding: 4px 10px; text-align: left; }
    blockquote { border-left: 3px solid #9b87d8; margin: 10px 0; padding: 2px 14px; color: #555; }
    code { background: #f2f1f5; border-radius: 4px; padding: 1px 5px; font-size: 13px; }`;
  const view = `<div class="view markdown-reading-view"><div class="markdown-preview-view markdown-rendered steward-event"><h1>${escaped(title)}</h1>
    <div class="metadata-container"><div class="metadata-properties">${shown.join('')}</div></div>${prose(body)}</div></div>`;
  return page(`${style}\n${sheet}`, view);
}

function property(key: string, value: unknown): string {
  const box =
    typeof value === 'boolean' ? `<input type="checkbox"${value ? ' checked' : ''}>` : linked(shownValue(value));
  return `<div class="metadata-property" data-property-key="${escaped(key)}"><div class="metadata-property-key">${escaped(key)}</div><div class="metadata-property-value">${box}</div></div>`;
}

function shownValue(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}

function prose(body: string): string {
  // A callout with a hyphen is folded: its title alone is seen.
  const plain = body.replaceAll(/%%[\s\S]*?%%/g, '').replaceAll(/^> \[!\w+\]- ?(.*)(?:\n>.*)*$/gm, '> **▸ $1**');
  return linked(marked.parse(plain, { async: false }), false);
}

function linked(text: string, isPlain = true): string {
  const safe = isPlain ? escaped(text) : text;
  return safe.replaceAll(/\[\[(?:[^\]|]*\|)?([^\]|]*)\]\]/g, '<a class="internal-link">$1</a>');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Returns the page of the charts of a note. `library`: the file of the library that draws them. */
export function chartsPage(charts: readonly string[], library: string): string {
  const script = `<script src="file://${library}"></script><script>
    mermaid.initialize({ startOnLoad: false });
    mermaid.run().then(() => document.documentElement.setAttribute('data-drawn', ''));
  </script>`;
  const drawn = charts.map((chart) => `<pre class="mermaid">${escaped(chart)}</pre>`).join('');
  return page('body { background: #fff; padding: 14px; }', drawn, script);
}

/** Returns the charts in a note's text. */
export function chartsIn(text: string): string[] {
  return [...text.matchAll(/^```mermaid\n([\s\S]*?)^```/gm)].map(([, chart = '']) => chart);
}
