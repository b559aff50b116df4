export function start(): string {
  return 'app';
}
