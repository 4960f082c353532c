#include "CSecretService.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

// What libsecret's and GLib's headers declare, as of libsecret 0.20: their stable binary interface.

typedef struct {
  unsigned int domain;
  int code;
  char *message;
} failure;

typedef struct {
  const char *name;
  int type;
} attribute;

typedef struct {
  const char *name;
  int flags;
  attribute attributes[32];
  int reserved;
  void *reserved_pointers[7];
} schema;

struct portolan_secret_service {
  int (*store)(
    const schema *, void *, const char *, const char *, const char *, void *, failure **);
  char *(*lookup)(const schema *, void *, void *, failure **);
  void (*free_secret)(char *);
  void *(*new_table)(void *, void *);
  int (*insert)(void *, void *, void *);
  void (*release_table)(void *);
  void (*free_failure)(failure *);
  void *(*new_ending)(void);
  void (*end)(void *);
  void (*release)(void *);
  void *string_hash;
  void *string_equal;
};

static const schema accounts = {
  "io.github.portolan.Accounts", 0, {{"home", 0}, {NULL, 0}}, 0, {NULL}};

static int find_all(struct portolan_secret_service *service, void *library) {
  service->store = dlsym(library, "secret_password_storev_sync");
  service->lookup = dlsym(library, "secret_password_lookupv_sync");
  service->free_secret = dlsym(library, "secret_password_free");
  service->new_table = dlsym(library, "g_hash_table_new");
  service->insert = dlsym(library, "g_hash_table_insert");
  service->release_table = dlsym(library, "g_hash_table_unref");
  service->free_failure = dlsym(library, "g_error_free");
  service->new_ending = dlsym(library, "g_cancellable_new");
  service->end = dlsym(library, "g_cancellable_cancel");
  service->release = dlsym(library, "g_object_unref");
  service->string_hash = dlsym(library, "g_str_hash");
  service->string_equal = dlsym(library, "g_str_equal");
  return service->store && service->lookup && service->free_secret && service->new_table
    && service->insert && service->release_table && service->free_failure
    && service->new_ending && service->end && service->release && service->string_hash
    && service->string_equal;
}

const portolan_secret_service *portolan_secret_service_open(const char *library) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return NULL;
  struct portolan_secret_service *service = calloc(1, sizeof *service);
  if (service && find_all(service, handle)) return service;
  free(service);
  dlclose(handle);
  return NULL;
}

void *portolan_secret_service_new_ending(const portolan_secret_service *service) {
  return service->new_ending();
}

void portolan_secret_service_end(const portolan_secret_service *service, void *ending) {
  service->end(ending);
}

void portolan_secret_service_free_ending(const portolan_secret_service *service, void *ending) {
  service->release(ending);
}

static void *attributes_of(const portolan_secret_service *service, const char *home) {
  void *table = service->new_table(service->string_hash, service->string_equal);
  if (table) service->insert(table, (void *)"home", (void *)home);
  return table;
}

static void report(const portolan_secret_service *service, failure *why, char **error) {
  *error = strdup(why && why->message ? why->message : "the secret service refused");
  if (why) service->free_failure(why);
}

int portolan_secret_service_store(
  const portolan_secret_service *service, const char *home, const char *label,
  const char *secret, void *ending, char **error) {
  failure *why = NULL;
  void *attributes = attributes_of(service, home);
  int stored = service->store(&accounts, attributes, NULL, label, secret, ending, &why);
  service->release_table(attributes);
  if (!stored) report(service, why, error);
  return stored;
}

char *portolan_secret_service_lookup(
  const portolan_secret_service *service, const char *home, void *ending, char **error) {
  failure *why = NULL;
  void *attributes = attributes_of(service, home);
  char *secret = service->lookup(&accounts, attributes, ending, &why);
  service->release_table(attributes);
  if (why) report(service, why, error);
  return secret;
}

void portolan_secret_service_free(const portolan_secret_service *service, char *secret) {
  if (secret) service->free_secret(secret);
}

void portolan_forbid_core_files(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // A core file that is piped to a program is made whatever the limit says.
#ifdef __linux__
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}
