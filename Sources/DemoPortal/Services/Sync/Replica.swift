internal import Foundation

/// A copy of a service that a client has taken and may bring back.
struct Replica: Sendable {
  let id: String
}
