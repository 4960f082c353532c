public import Foundation

/// A parser under test.
public struct FuzzTarget: Sendable {
  /// The word that chooses it on the command line.
  public let name: String

  /// What one input costs, as a multiple of what a cheap one does.
  ///
  /// A round of tests gives the target as many times fewer inputs.
  public let cost: Int

  /// Pieces of the format, which the mutator strews into inputs.
  public let words: [String]

  /// What inputs are made of, which decides how they are changed.
  public let form: Form

  /// What inputs can be made of.
  public enum Form: Sendable {
    /// Bytes or text.
    case bytes
    /// JSON; half of the inputs are changed in ways that leave them so.
    case json
    /// Pages whose places must not shift.
    case pages
  }

  private let makeSeeds: @Sendable () throws -> [Data]
  private let parse: @Sendable (Data) async throws -> Void

  /// Creates a target.
  ///
  /// `parse` throws whatever the parser refuses an input with, and ``FuzzFinding`` where the
  /// parser broke a promise.
  init(
    _ name: String, cost: Int = 1, words: [String] = [], form: Form = .bytes,
    seeds: @escaping @Sendable () throws -> [Data],
    parse: @escaping @Sendable (Data) async throws -> Void
  ) {
    self.name = name
    self.cost = cost
    self.words = words
    self.form = form
    self.makeSeeds = seeds
    self.parse = parse
  }

  /// Creates a target of texts.
  init(
    _ name: String, cost: Int = 1, words: [String] = [], form: Form = .bytes, texts: [String],
    parse: @escaping @Sendable (Data) async throws -> Void
  ) {
    self.init(
      name, cost: cost, words: words, form: form, seeds: { texts.map { Data($0.utf8) } },
      parse: parse)
  }

  /// Valid inputs to begin with, the same ones every time.
  public func seeds() throws -> [Data] { try makeSeeds() }

  /// Hands an input to the parser; whether it was taken.
  ///
  /// - Throws: ``FuzzFinding``.
  public func accepts(_ input: Data) async throws(FuzzFinding) -> Bool {
    do {
      try await parse(input)
      return true
    } catch let finding as FuzzFinding {
      throw finding
    } catch {
      // A refusal is an answer, but its sentence is made of what the input holds.
      _ = error.localizedDescription
      return false
    }
  }
}

/// A promise that a parser broke without crashing.
public struct FuzzFinding: Error, Hashable, Sendable {
  /// What it did, as a part of a sentence.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// Reads back what was written; that this fails is a finding.
  static func mustWork<Value>(
    _ action: String, _ body: () throws -> Value
  ) throws(FuzzFinding) -> Value {
    do { return try body() } catch {
      throw FuzzFinding("cannot be \(action): \(error.localizedDescription)")
    }
  }

  /// Checks a promise.
  static func check(_ isTrue: Bool, _ reason: @autoclosure () -> String) throws(FuzzFinding) {
    guard isTrue else { throw FuzzFinding(reason()) }
  }
}
