// The development key pair of the local Discord. It is public on purpose: anyone can sign with it, so the product accepts it only
// while its Discord base URL is on loopback, and only in requests to a loopback address. It must never protect anything.

/** Hex of the 32-byte Ed25519 seed. */
export const DEVELOPMENT_SEED_HEX = "b67dd9aa9acefff9257ca5648ac84eeb44b16cd2c47ca18c8cfc1329dca77f9c";

/** Hex of the public key, as an application's page in Discord's portal would show it. */
export const DEVELOPMENT_PUBLIC_KEY_HEX = "500a2a8ad3367bf653b683e28e365ad24ece09d7d7b81a66dc7d14edd2cff799";

/** The bytes before an Ed25519 seed in PKCS #8 (RFC 8410): WebCrypto does not import a bare private key. */
export const ED25519_PKCS8_PREFIX_HEX = "302e020100300506032b657004220420";
