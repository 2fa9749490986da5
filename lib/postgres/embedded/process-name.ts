/** This process, in the names of its servers and connections. */
export const processName = `grove ${process.pid}`;

/** The process that a name stands for. */
export function pidIn(name: string): number | null {
  const pid = /^grove (\d+)$/.exec(name)?.[1];
  return pid === undefined ? null : Number(pid);
}
