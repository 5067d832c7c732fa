import { expect, it } from 'vitest';
import { filled, nameOf, reportedFrom } from './environment';

it('names an environment by the parts that it has', () => {
  expect(nameOf({ os: 'linux', pkg_manager: 'npm' })).toBe('linux, npm');
  expect(nameOf({})).toBe('');
  expect(nameOf(undefined)).toBe('');
});

it('leaves out what is only spaces, and labels', () => {
  expect(filled({ os: ' macos ', runtime: '  ', labels: ['ci'] })).toEqual({ os: 'macos' });
});

it('reports from where the person is, else from where the solution applies', () => {
  const solution = { os: 'linux', runtime: 'node-22' };
  expect(reportedFrom({ runtime: 'node-24' }, solution)).toEqual({
    os: 'linux',
    runtime: 'node-24',
  });
  expect(reportedFrom({}, undefined)).toEqual({});
});
