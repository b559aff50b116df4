import { keyOf } from '../../steward/perception/finding.ts';
import type { TargetRecord } from '../../vault/index/record.ts';
import type { ModelAccess } from '../context/ports.ts';
import { perceivedNow, whyUnseen } from '../perception/look.ts';
import type { Section, Times } from './explanation.ts';

/** Returns what a note shows by itself now, whether the person was told, and when time alone would show more. */
export function perceptionSection(space: ModelAccess, target: TargetRecord, times: Times): Section {
  const title = 'Without a signal';
  const why = whyUnseen(space, target);
  if (why !== null) return { title, lines: [`not looked at: ${why}`] };
  const { findings, next } = perceivedNow(space, target);
  const [first] = findings;
  const isModel = space.models.evaluator.asksModel;
  const seen = space.context.state.get('perceived')[target.path];
  const told = first === undefined || seen?.told !== keyOf(first) ? [] : ['you were told'];
  const asks = first !== undefined || target.fields.surface_class === 'high';
  const judge = isModel && asks ? [`${space.models.evaluator.name} is asked once until something changes`] : [];
  return {
    title,
    lines: [
      ...(first === undefined ? ['nothing noticed'] : findings.map(({ sentence }) => sentence)),
      ...told,
      ...judge,
      `the next day that matters: ${next === null ? 'none' : times(next)}`,
    ],
  };
}
