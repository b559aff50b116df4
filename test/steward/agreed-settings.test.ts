import { expect, test } from 'vitest';
import { AgreedSettings, DEFAULT_SETTINGS } from '../../src/steward/settings.ts';

test('a value that gives a right counts once the user has agreed to it, and the settings are the same object until then', () => {
  const stored: Record<string, number> = {};
  const agreed = new AgreedSettings(
    DEFAULT_SETTINGS,
    () => stored,
    (name) => `mark of ${name}`,
  );
  agreed.begin(true, 1);
  agreed.write({ ...DEFAULT_SETTINGS, trusted_mail_servers: ['mx.sample.example'], autonomy: 'by_count' });
  expect(agreed.current).toMatchObject({ trusted_mail_servers: [], autonomy: 'ask' });
  expect(agreed.current).toBe(agreed.current);
  const [server, autonomy] = agreed.unagreed();
  expect([server?.field, autonomy?.field]).toEqual(['trusted_mail_servers', 'autonomy']);
  if (server !== undefined) agreed.agree(server, 2);
  expect(agreed.current).toMatchObject({ trusted_mail_servers: ['mx.sample.example'], autonomy: 'ask' });
});
