#include <curl/curl.h>

/// The functions that set and read options are variadic, which Swift cannot call.
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *handle, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(handle, option, value);
}

/// The library copies the text.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(handle, option, value);
}

typedef size_t (*ccurl_transfer)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek)(void *context, curl_off_t offset, int origin);
typedef int (*ccurl_ready)(
    void *context, char *local, char *remote, int local_port, int remote_port);

static inline CURLcode ccurl_set_transfer(
    CURL *handle, CURLoption option, ccurl_transfer function) {
  return curl_easy_setopt(handle, option, function);
}

static inline CURLcode ccurl_set_seek(CURL *handle, ccurl_seek function) {
  return curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, function);
}

static inline CURLcode ccurl_set_ready(CURL *handle, ccurl_ready function) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, function);
}

static inline CURLcode ccurl_get_pointer(CURL *handle, CURLINFO info, void **value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// Macros with a cast are not imported either.
static const size_t ccurl_read_abort = CURL_READFUNC_ABORT;
