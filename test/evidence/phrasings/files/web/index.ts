export function start(): string {
  return 'web';
}
