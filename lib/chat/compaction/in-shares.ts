/** Splits a whole number in proportion to weights into whole parts with exactly that sum. */
export function inShares(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let weighed = 0;
  let given = 0;
  return weights.map((weight) => {
    weighed += weight;
    const upTo = whole > 0 ? Math.round((total * weighed) / whole) : 0;
    const share = upTo - given;
    given = upTo;
    return share;
  });
}
