internal import Foundation

/// Finds where a text stops being JSON, which simdjson does not tell.
///
/// Only ever run on texts that were refused, so speed does not matter; it keeps its own stack, so
/// that depth cannot exhaust the thread's.
enum JSONSyntax {
  /// The error for a text that the parser refused with `message`.
  static func error(in data: Data, message: String) -> JSONError {
    firstError(in: data) ?? .malformed(reason: message, offset: nil)
  }

  /// The first violation of the grammar; `nil` if there is none, and something else is wrong.
  static func firstError(in data: Data) -> JSONError? {
    var scanner = Scanner(bytes: [UInt8](data))
    return scanner.firstError()
  }

  private enum Expectation {
    case value
    case valueOrEnd
    case nameOrEnd
    case name
    case separatorOrEnd
  }

  private struct Scanner {
    let bytes: [UInt8]
    private var position = 0
    private var isObject: [Bool] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func firstError() -> JSONError? {
      var expectation = Expectation.value
      while true {
        skipBlanks()
        guard position < bytes.count else { return error("the text ends too early") }
        switch expectation {
        case .value, .valueOrEnd:
          if expectation == .valueOrEnd, bytes[position] == UInt8(ascii: "]") { break }
          switch beginValue() {
          case .failure(let error): return error
          case .success(let next): expectation = next
          }
          if expectation == .separatorOrEnd, isObject.isEmpty { return trailingError() }
          continue
        case .name, .nameOrEnd:
          if expectation == .nameOrEnd, bytes[position] == UInt8(ascii: "}") { break }
          guard bytes[position] == UInt8(ascii: "\"") else { return error("a name is missing") }
          if let error = skipString() { return error }
          skipBlanks()
          guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
            return error("a colon is missing")
          }
          position += 1
          expectation = .value
          continue
        case .separatorOrEnd:
          if bytes[position] == UInt8(ascii: ",") {
            position += 1
            expectation = isObject.last == true ? .name : .value
            continue
          }
        }
        if let error = closeContainer() { return error }
        expectation = .separatorOrEnd
        if isObject.isEmpty { return trailingError() }
      }
    }

    private mutating func beginValue() -> Result<Expectation, JSONError> {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        isObject.append(bytes[position] == UInt8(ascii: "{"))
        guard isObject.count <= JSONValue.maximumDepth else {
          return .failure(.nestedTooDeep(limit: JSONValue.maximumDepth))
        }
        position += 1
        return .success(isObject.last == true ? .nameOrEnd : .valueOrEnd)
      case UInt8(ascii: "\""):
        if let error = skipString() { return .failure(error) }
      default:
        if let error = skipWord() { return .failure(error) }
      }
      return .success(.separatorOrEnd)
    }

    private mutating func closeContainer() -> JSONError? {
      let closing = isObject.last == true ? UInt8(ascii: "}") : UInt8(ascii: "]")
      guard bytes[position] == closing else { return error("a comma or a bracket is missing") }
      position += 1
      isObject.removeLast()
      return nil
    }

    private mutating func skipString() -> JSONError? {
      position += 1
      while position < bytes.count {
        switch bytes[position] {
        case UInt8(ascii: "\""):
          position += 1
          return nil
        case UInt8(ascii: "\\"): position += 2
        case 0..<0x20: return error("a string contains a control character")
        default: position += 1
        }
      }
      return error("a string does not end")
    }

    private mutating func skipWord() -> JSONError? {
      let start = position
      let isWord: (UInt8) -> Bool = { byte in
        byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
      while position < bytes.count, isWord(bytes[position]) { position += 1 }
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      let isNumber = Double(word)?.isFinite == true && word.last?.isNumber == true
      guard isNumber || ["true", "false", "null"].contains(word) else {
        position = start
        return error("a value is missing")
      }
      return nil
    }

    private mutating func trailingError() -> JSONError? {
      skipBlanks()
      return position < bytes.count ? error("text follows the end") : nil
    }

    private mutating func skipBlanks() {
      while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) {
        position += 1
      }
    }

    private func error(_ reason: String) -> JSONError {
      .malformed(reason: reason, offset: min(position, bytes.count))
    }
  }
}
