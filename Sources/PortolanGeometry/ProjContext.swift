internal import CProj

/// A context of the PROJ library: its database connection and its errors, for one thread at a time.
///
/// Grids are never fetched from the network, and nothing is logged to standard error.
@safe
final class ProjContext {
  let handle: OpaquePointer

  init() throws(GeometryError) {
    guard let handle = unsafe proj_context_create() else {
      throw .operationFailed(operation: "start of PROJ", reason: "there is not enough memory")
    }
    unsafe self.handle = handle
    unsafe proj_log_level(handle, PJ_LOG_NONE)
    unsafe proj_context_set_enable_network(handle, 0)
  }

  deinit { unsafe proj_context_destroy(handle) }

  /// The message of PROJ about the last failure; `other` if there is none.
  func failureReason(or other: String = "PROJ gives no reason") -> String {
    let code = unsafe proj_context_errno(handle)
    guard code != 0, let text = unsafe proj_context_errno_string(handle, code) else { return other }
    return unsafe String(cString: text)
  }
}

/// An object of the PROJ library: a reference, a transformation or a part of one.
@safe
struct ProjObject: ~Copyable {
  /// Keeps the context alive, which must outlive the object.
  let context: ProjContext
  let handle: OpaquePointer

  /// Takes over `handle`; `nil` stays `nil`.
  init?(_ handle: OpaquePointer?, in context: ProjContext) {
    guard let handle = unsafe handle else { return nil }
    self.context = context
    unsafe self.handle = handle
  }

  deinit { unsafe proj_destroy(handle) }

  var name: String { unsafe proj_get_name(handle).map { unsafe String(cString: $0) } ?? "" }

  var isReference: Bool { unsafe proj_is_crs(handle) != 0 }

  /// The horizontal part of a compound reference; others stay as they are.
  consuming func horizontal() -> ProjObject {
    guard unsafe proj_get_type(handle) == PJ_TYPE_COMPOUND_CRS else { return self }
    let handle = unsafe proj_crs_get_sub_crs(context.handle, handle, 0)
    guard let part = unsafe ProjObject(handle, in: context) else { return self }
    return part
  }
}
