import fastifyJwt from '@fastify/jwt';
import fastify from 'fastify';
import type { OpenSigningKey } from '../signing-keys/signing-key.ts';

/** The part of a key that signs. */
type SigningKey = Pick<OpenSigningKey, 'kid' | 'privateKey' | 'publicKey'>;

/** Signs claims as an access token: a JWT (RFC 7519), ES256 (RFC 7518, 3.4), typed as RFC 9068 asks. */
type TokenSigner = (claims: Readonly<Record<string, unknown>> & { readonly iat: number }) => string;

/** The signer of a key; created once, when the key starts to sign, and dropped with the key. */
export function createTokenSigners(): (key: SigningKey) => Promise<TokenSigner> {
  const signers = new WeakMap<SigningKey, Promise<TokenSigner>>();
  return (key) => {
    const signer = signers.get(key) ?? makeSigner(key);
    signers.set(key, signer);
    return signer;
  };
}

/**
 * A registration of @fastify/jwt is for one key, and nothing can be registered in a service that runs: an instance of
 * its own, which serves nothing, holds it. It wants the key as text, and reads it once.
 */
async function makeSigner({ kid, privateKey, publicKey }: SigningKey): Promise<TokenSigner> {
  const algorithm = 'ES256';
  const holder = fastify();
  await holder.register(fastifyJwt, {
    secret: {
      private: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
      public: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    },
    sign: { algorithm, kid, header: { alg: algorithm, typ: 'at+jwt' } },
  });
  return (claims) => holder.jwt.sign(claims);
}
