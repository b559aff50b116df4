import { noteText } from '../../src/vault/note-text.ts';

/** A short signal, strong enough by itself, that adds one label to a matter: the note then shows what was applied. */
export function labelSignal(matter: string, label: string): string {
  return noteText(
    {
      type: 'signal',
      source_type: 'mail',
      source_event_path: `stream/${label}.eml`,
      target_kind: 'matter',
      target_path: `matter/${matter}.md`,
      target_confidence: 0.98,
      effect: 'mutation',
      effect_confidence: 0.97,
      mutation_proposal: { class: 'context_edit', add: { labels: [label] } },
      status: 'unrouted',
    },
    'A signal.',
  );
}
