#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

// Swift sees neither variadic functions nor macros with casts, and gives closed enumerations no
// names.

struct portolan_mhd_settings {
  uint16_t port;
  unsigned threads;
  unsigned connections;
  unsigned idle_seconds;
  size_t header_bytes;
  /// Both or neither, as PEM.
  const char *certificate;
  const char *private_key;
};

typedef void *(*portolan_mhd_begin)(void *context, const char *target,
                                    struct MHD_Connection *connection);

/// Starts a daemon on 127.0.0.1 that polls in threads of its own.
static inline struct MHD_Daemon *portolan_mhd_start(const struct portolan_mhd_settings *settings,
                                                    portolan_mhd_begin begin,
                                                    MHD_AccessHandlerCallback handle,
                                                    MHD_RequestCompletedCallback completed,
                                                    void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(settings->port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)settings->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)settings->private_key},
      {MHD_OPTION_END, 0, NULL}};
  if (settings->certificate)
    flags |= MHD_USE_TLS;
  else
    tls[0].option = MHD_OPTION_END;
  return MHD_start_daemon(
      flags, settings->port, NULL, NULL, handle, context,
      MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
      MHD_OPTION_URI_LOG_CALLBACK, begin, context,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
      MHD_OPTION_CONNECTION_LIMIT, settings->connections,
      MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->header_bytes,
      MHD_OPTION_LISTEN_BACKLOG_SIZE, 4096u,
      MHD_OPTION_ARRAY, tls,
      MHD_OPTION_END);
}

/// The port that a daemon listens on, 0 if it cannot be told.
static inline uint16_t portolan_mhd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

static inline void portolan_mhd_each_header(struct MHD_Connection *connection,
                                            MHD_KeyValueIterator each, void *context) {
  MHD_get_connection_values(connection, MHD_HEADER_KIND, each, context);
}

/// The value of a header field, NULL if there is none.
static inline const char *portolan_mhd_header(struct MHD_Connection *connection,
                                              const char *name) {
  return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/// How long a connection may be silent from now on.
static inline void portolan_mhd_set_idle_seconds(struct MHD_Connection *connection,
                                                 unsigned seconds) {
  MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

static inline struct MHD_Response *portolan_mhd_response_copying(const void *bytes, size_t count) {
  return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

static inline enum MHD_Result portolan_mhd_yes(void) { return MHD_YES; }
static inline enum MHD_Result portolan_mhd_no(void) { return MHD_NO; }
static inline ssize_t portolan_mhd_end_of_stream(void) { return MHD_CONTENT_READER_END_OF_STREAM; }
static inline ssize_t portolan_mhd_end_with_error(void) { return MHD_CONTENT_READER_END_WITH_ERROR; }
