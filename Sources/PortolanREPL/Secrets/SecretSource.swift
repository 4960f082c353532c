internal import Foundation
internal import PortolanApp

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The source of passwords, keys and codes: a file descriptor, the environment, or the user at the
/// terminal, and never the words of a command line, which everyone on the machine can read.
public struct SecretSource: Sendable {
  private let environment: [String: String]
  private let console: any Console

  /// The longest secret that is read, in bytes.
  private static let longest = 64 << 10

  /// Creates a source.
  public init(environment: [String: String], console: any Console) {
    self.environment = environment
    self.console = console
  }

  /// A text of the environment that is no secret, such as a user name.
  func variable(_ name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Asks the user, with visible input; `nil` without a terminal.
  func answer(to question: String) async -> String? {
    await console.ask(question, hidingAnswer: false)
  }

  /// A secret.
  ///
  /// - Parameters:
  ///   - name: What it is, for messages: "password".
  ///   - descriptor: The file descriptor that it is read from, if one was given.
  ///   - variable: The environment variable that may hold it.
  ///   - option: The option that names a descriptor.
  /// - Returns: The secret, which is not empty.
  /// - Throws: A failure if it cannot be read.
  func secret(
    _ name: String, descriptor: Int?, variable: String?, option: Parameter
  ) async throws -> SignInSecret {
    var text: String?
    if let descriptor {
      text = try await Self.line(from: Int32(clamping: descriptor), name, option)
    } else if let variable, let value = self.variable(variable) {
      text = value
    } else {
      text = await console.ask("\(name.capitalizedFirst): ", hidingAnswer: true)
      try Task.checkCancellation()
      if text == nil { throw Self.missing(name, variable, option) }
    }
    guard let text, !text.isEmpty else {
      throw Failure(.noSecret, "The \(name) is empty.", status: .wrongUsage)
    }
    return SignInSecret(typed: text)
  }

  private static func missing(_ name: String, _ variable: String?, _ option: Parameter) -> Failure {
    let place = variable.map { " or in the variable \($0)" } ?? ""
    return Failure(
      .noSecret, "There is no terminal to type the \(name) at.",
      suggestion: "Give it through a file descriptor with \(option.spelling)\(place).",
      status: .wrongUsage)
  }

  /// The first line that can be read from a descriptor, off the threads of tasks.
  private static func line(
    from descriptor: Int32, _ name: String, _ option: Parameter
  ) async throws -> String {
    let data: Data? = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: bytes(from: descriptor)) }
    }
    guard let data else {
      throw Failure(
        .noSecret, "The \(name) cannot be read from file descriptor \(descriptor).",
        suggestion: "Open it in the shell, for example with 3< FILE and \(option.label) 3.",
        status: .wrongUsage)
    }
    let line = data.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: line, as: UTF8.self)
  }

  /// All bytes up to the end or the end of a line; `nil` if the descriptor is closed.
  private static func bytes(from descriptor: Int32) -> Data? {
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 4096)
    while data.count < longest, !data.contains(UInt8(ascii: "\n")) {
      let count = unsafe read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { break }
      data.append(contentsOf: piece[..<count])
    }
    return data
  }
}

extension String {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
