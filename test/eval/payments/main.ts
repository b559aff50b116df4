import { answered, type PaymentAnswer, paymentCases } from './payment-case.ts';

// Prints how the bank lines of the cases are read. `node test/eval/payments/main.ts`

function figures(name: string, answers: readonly PaymentAnswer[]): string {
  const right = answers.filter(({ isRight }) => isRight).length;
  const meant = answers.filter(({ isMeant }) => isMeant).length;
  const sure = answers.filter(({ isWronglySure }) => isWronglySure).length;
  return `${name}: ${meant} of ${answers.length} mean what they should, ${right} of them as surely as they might, ${sure} wrongly sure`;
}

for (const name of ['first.yaml', 'late.yaml']) {
  const answers = paymentCases(name).map(answered);
  process.stdout.write(`${figures(name, answers)}\n`);
  for (const { asked, got } of answers.filter(({ isRight }) => !isRight))
    process.stdout.write(
      `  ${asked.id}: expected ${asked.expect.what}${asked.expect.sure ? ' (sure)' : ''} ${asked.expect.tasks.join(' | ')}\n    got ${got}\n`,
    );
}
