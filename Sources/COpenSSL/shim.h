#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Swift sees neither variadic functions nor macros with casts.

static inline EVP_PKEY *portolan_generate_p256_key(void) {
  return EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256");
}

static inline int portolan_keep_openssl(void) {
  return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

static inline long portolan_bio_contents(BIO *bio, char **start) {
  return BIO_get_mem_data(bio, start);
}

static inline X509_EXTENSION *portolan_make_extension(X509 *certificate, int nid, const char *value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
  return X509V3_EXT_conf_nid(NULL, &context, nid, value);
}
