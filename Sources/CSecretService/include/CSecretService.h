#ifndef C_SECRET_SERVICE_H
#define C_SECRET_SERVICE_H

// libsecret, found when it is needed, so that nothing has to be installed where there is no desktop.

typedef struct portolan_secret_service portolan_secret_service;

/// Finds libsecret; NULL where it is not installed. Lives as long as the process.
const portolan_secret_service *portolan_secret_service_open(void);

/// Stores `secret` under `home`, in place of what is there; 0 and `error` if that fails.
int portolan_secret_service_store(
  const portolan_secret_service *service, const char *home, const char *label,
  const char *secret, char **error);

/// Finds what is stored under `home`; NULL, and `error` if it is not just absent.
char *portolan_secret_service_lookup(
  const portolan_secret_service *service, const char *home, char **error);

/// Frees what was found, and wipes it.
void portolan_secret_service_free(const portolan_secret_service *service, char *secret);

#endif
