public import Foundation
internal import PortolanFeatures
internal import PortolanFiles
public import PortolanMap
public import PortolanPortal

/// Why a web map or one of its layers cannot be loaded.
public enum OnlineMapError: Error, Hashable, Sendable {
  /// The portal or the layer's server refused, or did not answer.
  case portal(PortalError)
  /// The document is no web map that can be read.
  case document(WebMapError)
  /// The file with the document cannot be read.
  case unreadable(file: String, reason: String)
  /// The item is of another kind.
  case notAWebMap(title: String, kind: String)
  /// The item holds no document.
  case empty(title: String)
  /// Layers of this kind cannot be shown; the reason is a sentence for people.
  case unsupportedLayer(reason: String)
  /// The layer says neither in the map nor by its item where its data are.
  case noAddress(layer: String)
  /// The service has no layer or table of that number.
  case noSuchLayer(service: String, id: Int)
  /// Bing Maps asks for a key, which neither the portal nor the app has.
  case bingKeyNeeded
  /// The task was cancelled.
  case cancelled

  init(_ error: any Error) {
    switch error {
    case let error as OnlineMapError: self = error
    case PortalError.cancelled: self = .cancelled
    case let error as PortalError: self = .portal(error)
    case let error as WebMapError: self = .document(error)
    case is CancellationError, FeatureStoreError.cancelled: self = .cancelled
    default:
      let localized = error as? any LocalizedError
      self = .unsupportedLayer(reason: localized?.errorDescription ?? "\(error.plainReason).")
    }
  }
}

extension OnlineMapError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .portal(let error): error.errorDescription
    case .document(let error): error.errorDescription
    case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
    case .notAWebMap(let title, let kind): "\"\(title)\" is no web map but a \"\(kind)\"."
    case .empty(let title): "\"\(title)\" holds no map."
    case .unsupportedLayer(let reason): reason
    case .noAddress(let layer): "The map does not say where the data of \"\(layer)\" are."
    case .noSuchLayer(let service, let id): "\(service) has no layer \(id)."
    case .bingKeyNeeded: "Bing Maps asks for a key."
    case .cancelled: "Loading was cancelled."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .portal(.signInNeeded): "Load the layer with an account that may see it."
    case .portal(let error): error.recoverySuggestion
    case .document(let error): error.recoverySuggestion
    case .unreadable: "Check that the file exists and that you may read it."
    case .notAWebMap: "Look for web maps at the portal."
    case .empty: "Its owner may save it again."
    case .unsupportedLayer, .noAddress: "The other layers can be used without it."
    case .noSuchLayer: "The service has changed since the map was made; tell the map's owner."
    case .bingKeyNeeded: "Give one in the settings, or leave the layer out."
    case .cancelled: nil
    }
  }
}
