import { NOT_VOUCHED, type StreamEvent } from '../../src/steward/types.ts';

/** Returns an event with only what the test is about. It is Friday, 20 November 2026. */
export function eventWith(parts: Partial<StreamEvent>): StreamEvent {
  return {
    path: 'stream/mail/test.eml',
    sourceType: 'mail',
    originAt: '2026-11-20T08:15:30Z',
    from: 'anna@notary.example',
    fromName: 'Anna Meyer',
    to: ['sam@home.example'],
    subject: '',
    text: '',
    quoted: '',
    bulk: false,
    bulkReason: null,
    ownNote: false,
    shown: null,
    doubts: [],
    authentication: NOT_VOUCHED,
    warnings: [],
    ...parts,
  };
}
