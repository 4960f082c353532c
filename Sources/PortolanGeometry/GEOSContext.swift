internal import CGEOS

/// A context of the GEOS library, which keeps its last error; for one thread at a time.
@safe
final class GEOSContext {
  let handle: GEOSContextHandle_t
  private var lastMessage: String?

  init() throws(GeometryError) {
    guard let handle = unsafe GEOS_init_r() else {
      throw .operationFailed(operation: "start of GEOS", reason: "there is not enough memory")
    }
    unsafe self.handle = handle
    unsafe GEOSContext_setErrorMessageHandler_r(
      handle,
      { message, context in
        guard let message = unsafe message, let context = unsafe context else { return }
        let owner = unsafe Unmanaged<GEOSContext>.fromOpaque(context).takeUnretainedValue()
        owner.lastMessage = unsafe String(cString: message)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { unsafe GEOS_finish_r(handle) }

  /// The error for an operation that has just failed.
  func error(in operation: String) -> GeometryError {
    let reason = lastMessage?.trimmingSuffix(while: \.isWhitespace)
    return .operationFailed(operation: operation, reason: reason ?? "GEOS gives no reason")
  }

  /// Takes over what an operation returned.
  func shape(_ handle: OpaquePointer?, from operation: String) throws(GeometryError) -> GEOSShape {
    guard let handle = unsafe handle else { throw error(in: operation) }
    return unsafe GEOSShape(handle, in: self)
  }

  /// The answer of a predicate, which is 2 where it failed.
  func answer(_ code: CChar, from operation: String) throws(GeometryError) -> Bool {
    guard code != 2 else { throw error(in: operation) }
    return code == 1
  }

  /// The value that a function with a status of 1 for success has left.
  func value(
    from operation: String, _ function: (inout Double) -> Int32
  ) throws(GeometryError) -> Double {
    var value = 0.0
    guard function(&value) == 1 else { throw error(in: operation) }
    return value
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    String(reversed().drop(while: isTrimmed).reversed())
  }
}

/// A shape of the GEOS library.
@safe
struct GEOSShape: ~Copyable {
  /// Keeps the context alive, which must outlive the shape.
  let context: GEOSContext
  let handle: OpaquePointer

  /// Takes over `handle`.
  init(_ handle: OpaquePointer, in context: GEOSContext) {
    self.context = context
    unsafe self.handle = handle
  }

  deinit { unsafe GEOSGeom_destroy_r(context.handle, handle) }
}
