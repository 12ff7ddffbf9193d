import { describe, expect, test } from 'vitest';
import { fetchDocument, isForbiddenAddress } from './fetch-document.ts';

const never = new AbortController().signal;

describe('G5 addresses', () => {
  test.each([
    ...[
      '127.0.0.1',
      '127.9.9.9',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '0.0.0.0',
    ],
    ...['100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255', '192.0.2.1'],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fe80::1%eth0',
      'fc00::1',
      'fd12::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'fec0::1',
    ],
    ...['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.0.0.1', '64:ff9b::7f00:1', '::127.0.0.1', 'localhost', ''],
  ])('%s is refused', (address) => {
    expect(isForbiddenAddress(address)).toBe(true);
  });

  test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'])(
    '%s is allowed',
    (address) => {
      expect(isForbiddenAddress(address)).toBe(false);
    },
  );
});

describe('G5 what is refused before any connection', () => {
  const cases = {
    'http://docs.example.com/a': 'not_https',
    'file:///etc/passwd': 'not_https',
    'not a url': 'invalid_url',
    'https://user:pw@docs.example.com/': 'credentials_in_url',
    'https://other.example.com/': 'host_not_allowed',
    'https://docs.example.com:8443/': 'host_not_allowed',
    'https://docs.example.com.evil.test/': 'host_not_allowed',
    'https://127.0.0.1/': 'address_forbidden',
    'https://[::ffff:127.0.0.1]/': 'address_forbidden',
    'https://0x7f000001/': 'address_forbidden',
    'https://docs.example.com/': 'address_forbidden',
  };
  test.each(Object.entries(cases))('%s: %s', async (url, reason) => {
    const outcome = await fetchDocument(url, {
      allowedHosts: ['docs.example.com', '127.0.0.1', '[::ffff:7f00:1]'],
      signal: never,
      // One public and one private answer: the mixture is refused.
      lookup: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ],
    });
    expect(outcome).toEqual({ kind: 'failed', reason });
  });

  test('a name that does not resolve', async () => {
    const lookup = async () => Promise.reject(new Error('ENOTFOUND'));
    const outcome = await fetchDocument('https://docs.example.com/', {
      allowedHosts: ['docs.example.com'],
      signal: never,
      lookup,
    });
    expect(outcome).toEqual({ kind: 'failed', reason: 'dns_failed' });
  });
});
