export const processName = `grove ${process.pid}`;

export function pidIn(name: string): number | null {
  const pid = /^grove (\d+)$/.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}
