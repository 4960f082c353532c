internal import CXML2

/// Keeps libxml2 from writing to standard error while this lives.
///
/// Some of its messages, such as those of encodings, ignore the options of the reader and go to a
/// handler that every thread has. Others in the process may use theirs, so it is put back.
@safe
struct XMLErrorSuppression: ~Copyable {
  private let handler: xmlStructuredErrorFunc?
  private let context: UnsafeMutableRawPointer?

  init() {
    unsafe handler = __xmlStructuredError().pointee
    unsafe context = __xmlStructuredErrorContext().pointee
    unsafe xmlSetStructuredErrorFunc(nil) { _, _ in }
  }

  deinit { unsafe xmlSetStructuredErrorFunc(context, handler) }
}
