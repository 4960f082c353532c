internal import Foundation

/// Why a test of crashes cannot continue.
enum CrashTestError: Error, Hashable {
  /// A child got invalid instructions.
  case badOrder(String)
  /// A job did not end well although its process was not killed.
  case jobEnded(String)
  /// A job that was stopped or forgotten has left something, or changed a map all the same.
  case wrongEnd(String)
  /// What was found could not be repaired.
  case notRepaired([String])
  /// The portal lacks what the test needs.
  case noArea
  /// Nothing tells a home in which something was done from the one before.
  case noDifference(String)
  /// A map that is open shows what it must not.
  case wrongReading(String)
}

extension CrashTestError: LocalizedError {
  var errorDescription: String? {
    switch self {
    case .badOrder(let text): "The child cannot do \"\(text)\"."
    case .jobEnded(let state): "The job ended as \(state)."
    case .wrongEnd(let what): "The job was stopped, but \(what)."
    case .notRepaired(let reasons): "Not repaired: \(reasons.joined(separator: "; "))"
    case .noArea: "The demo portal has no area to take offline."
    case .noDifference(let act): "A home is the same before and after \(act)."
    case .wrongReading(let what): "A map that is open shows \(what)."
    }
  }
}
