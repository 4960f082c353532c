#ifndef C_SECRET_SERVICE_H
#define C_SECRET_SERVICE_H

// libsecret, found when it is needed, so that nothing has to be installed where there is no desktop.

typedef struct portolan_secret_service portolan_secret_service;

/// Finds libsecret as `library`; NULL where it is not installed. Lives as long as the process.
const portolan_secret_service *portolan_secret_service_open(const char *library);

/// Something by which a call can be ended from another thread.
void *portolan_secret_service_new_ending(const portolan_secret_service *service);

/// Ends the call that was given `ending`, which then fails.
void portolan_secret_service_end(const portolan_secret_service *service, void *ending);

/// Frees `ending`.
void portolan_secret_service_free_ending(const portolan_secret_service *service, void *ending);

/// Stores `secret` under `home`, in place of what is there; 0 and `error` if that fails.
int portolan_secret_service_store(
  const portolan_secret_service *service, const char *home, const char *label,
  const char *secret, void *ending, char **error);

/// Finds what is stored under `home`; NULL, and `error` if it is not just absent.
char *portolan_secret_service_lookup(
  const portolan_secret_service *service, const char *home, void *ending, char **error);

/// Frees what was found, and erases it.
void portolan_secret_service_free(const portolan_secret_service *service, char *secret);

/// Keeps this process from leaving its memory, and with it secrets, in files when it crashes.
///
/// Other processes of the same user cannot read its memory either.
void portolan_forbid_core_files(void);

#endif
