internal import CSQLite
internal import Foundation

/// A function that SQL can call; SQLite owns it once registered.
final class SQLFunction {
  private let body: @Sendable ([SQLValue]) throws -> SQLValue

  init(_ body: @escaping @Sendable ([SQLValue]) throws -> SQLValue) { self.body = body }

  /// What SQLite calls: reads the arguments, runs the body, hands back its value.
  static func call(
    _ context: OpaquePointer?, _ count: Int32,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let context = unsafe context, let owner = unsafe sqlite3_user_data(context) else {
      return
    }
    let function = unsafe Unmanaged<SQLFunction>.fromOpaque(owner).takeUnretainedValue()
    let values = (0..<Int(count)).map { unsafe SQLValue(arguments?[$0]) }
    do {
      unsafe try function.body(values).setResult(of: context)
    } catch {
      let message = (error as? any LocalizedError)?.errorDescription ?? "\(error)"
      unsafe sqlite3_result_error(context, message, -1)
    }
  }
}

/// An order of texts that SQL can use; SQLite owns it once registered.
final class SQLCollation {
  private let order: @Sendable (String, String) -> ComparisonResult

  init(_ order: @escaping @Sendable (String, String) -> ComparisonResult) { self.order = order }

  /// What SQLite calls with two texts by length.
  static func compare(
    _ owner: UnsafeMutableRawPointer?, _ leftCount: Int32, _ left: UnsafeRawPointer?,
    _ rightCount: Int32, _ right: UnsafeRawPointer?
  ) -> Int32 {
    guard let owner = unsafe owner else { return 0 }
    let collation = unsafe Unmanaged<SQLCollation>.fromOpaque(owner).takeUnretainedValue()
    return unsafe Int32(
      collation.order(text(left, leftCount), text(right, rightCount)).rawValue)
  }

  private static func text(_ start: UnsafeRawPointer?, _ count: Int32) -> String {
    unsafe String(
      decoding: UnsafeRawBufferPointer(start: start, count: Int(count)), as: UTF8.self)
  }
}

extension SQLValue {
  /// Copies an argument of a function.
  fileprivate init(_ value: OpaquePointer?) {
    switch unsafe sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = unsafe .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = unsafe .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
      let text = unsafe sqlite3_value_text(value)
      let count = unsafe text == nil ? 0 : Int(sqlite3_value_bytes(value))
      let bytes = unsafe UnsafeBufferPointer(start: text, count: count)
      self = unsafe .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = unsafe sqlite3_value_blob(value)
      let count = unsafe bytes == nil ? 0 : Int(sqlite3_value_bytes(value))
      self = unsafe .blob(Data(UnsafeRawBufferPointer(start: bytes, count: count)))
    default: self = .null
    }
  }

  /// Hands the value to the function call that asked for it.
  fileprivate func setResult(of context: OpaquePointer) {
    switch self {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let value): unsafe sqlite3_result_int64(context, value)
    case .real(let value): unsafe sqlite3_result_double(context, value)
    case .text(let text):
      unsafe csqlite_result_text(context, text, UInt64(text.utf8.count))
    case .blob(let data):
      unsafe data.withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress, !data.isEmpty else {
          return unsafe sqlite3_result_zeroblob(context, 0)
        }
        unsafe csqlite_result_blob(context, base, UInt64(bytes.count))
      }
    }
  }
}
