import Foundation
import PortolanPortal
import PortolanTestSupport
import Testing

@testable import PortolanDesktop

/// A library in the place of libsecret whose calls wait until they are cancelled, as those of a
/// locked keyring do.
@Suite(
  .temporaryDirectory, .timeLimit(.minutes(5)),
  .needsTool("clang"))
struct LockedKeyringTests {
  private static let source = """
    #include <pthread.h>
    #include <stdlib.h>
    #include <string.h>
    typedef struct { unsigned domain; int code; char *message; } failure;
    typedef struct { pthread_mutex_t lock; pthread_cond_t changed; int isCancelled; } cancellable;
    void *g_cancellable_new(void) {
      cancellable *new = calloc(1, sizeof *new);
      pthread_mutex_init(&new->lock, NULL);
      pthread_cond_init(&new->changed, NULL);
      return new;
    }
    void g_cancellable_cancel(cancellable *it) {
      pthread_mutex_lock(&it->lock);
      it->isCancelled = 1;
      pthread_cond_broadcast(&it->changed);
      pthread_mutex_unlock(&it->lock);
    }
    void g_object_unref(void *it) { free(it); }
    static void wait_for_end(cancellable *it, failure **why) {
      pthread_mutex_lock(&it->lock);
      while (!it->isCancelled) pthread_cond_wait(&it->changed, &it->lock);
      pthread_mutex_unlock(&it->lock);
      *why = calloc(1, sizeof **why);
      (*why)->message = strdup("Operation was cancelled");
    }
    int secret_password_storev_sync(
      void *schema, void *attributes, char *collection, char *label, char *secret, cancellable *it,
      failure **why) { wait_for_end(it, why); return 0; }
    char *secret_password_lookupv_sync(
      void *schema, void *attributes, cancellable *it, failure **why) { wait_for_end(it, why); return NULL; }
    void secret_password_free(char *it) { free(it); }
    void *g_hash_table_new(void *hash, void *equal) { return calloc(1, 1); }
    int g_hash_table_insert(void *table, void *key, void *value) { return 1; }
    void g_hash_table_unref(void *table) { free(table); }
    void g_error_free(failure *it) { free(it->message); free(it); }
    unsigned g_str_hash(const void *it) { return 0; }
    int g_str_equal(const void *one, const void *other) { return 1; }
    """

  private func library() throws -> SecretServiceLibrary {
    let source = temporaryDirectory.appending(path: "locked.c")
    try Data(Self.source.utf8).write(to: source)
    let path = temporaryDirectory.appending(path: "liblocked.so").path(percentEncoded: false)
    let made = try Tool.run(
      "clang", ["-shared", "-fPIC", "-o", path, source.path(percentEncoded: false), "-lpthread"])
    #expect(made.status == 0, "\(made.errors)")
    return try #require(SecretServiceLibrary(named: path))
  }

  @Test func `Waiting for a locked keyring ends, and the keyring is named`() async throws {
    let store = SecretServiceCredentialStore(
      folder: temporaryDirectory, library: try library(), patience: 0)
    let failure = CredentialStoreError.unanswered(place: SecretServiceLibrary.place, seconds: 0)
    await #expect(throws: failure) { try await store.accounts() }
    // The first call has been ended, so that the next gets its turn.
    await #expect(throws: failure) {
      try await store.save(CredentialStoreContractTests.account("a.org"))
    }
  }

  @Test func `A keyring that stays locked is not taken for one without accounts`() async throws {
    let file = FileCredentialStore(folder: temporaryDirectory.appending(path: "home"))
    let service = SecretServiceCredentialStore(
      folder: temporaryDirectory, library: try library(), patience: 0)
    let store = DesktopCredentialStore(file: file) { service }
    let failure = CredentialStoreError.unanswered(place: SecretServiceLibrary.place, seconds: 0)
    await #expect(throws: failure) { try await store.accounts() }
    await #expect(throws: failure) {
      try await store.save(CredentialStoreContractTests.account("a.org"))
    }
    #expect(!FileManager.default.fileExists(atPath: file.file.path(percentEncoded: false)))
  }
}
