import { describe, expect, it } from 'vitest';
import { singleFlight } from './singleFlight';

describe('singleFlight', () => {
  it('joins a second call to the one under way', async () => {
    const inputs: number[] = [];
    const fly = singleFlight<number, number>({ current: null });
    const run = (input: number) => {
      inputs.push(input);
      return Promise.resolve(input);
    };
    expect(await Promise.all([fly(run, 1), fly(run, 2)])).toEqual([1, 1]);
    expect(await fly(run, 3)).toBe(3);
    expect(inputs).toEqual([1, 3]);
  });

  it('lets the next call through after a failure', async () => {
    const fly = singleFlight<string, string>({ current: null });
    await expect(fly(() => Promise.reject(new Error('no')), 'a')).rejects.toThrow('no');
    expect(await fly((input) => Promise.resolve(input), 'b')).toBe('b');
  });
});
