public import Foundation

/// The reason why a picture cannot be drawn.
public enum RenderingError: Error, Hashable, Sendable {
  /// The size is not between 1 and ``PixelImage/maximumSide`` pixels, or the extent shown is empty.
  case unusableSize(width: Int, height: Int)
  /// The task was cancelled.
  case cancelled
  /// There is not enough memory for the picture.
  case outOfMemory
  /// The bytes are no picture that can be shown.
  case notDecoded(reason: String)
  /// The picture cannot be written in its format.
  case notEncoded(reason: String)
}

extension RenderingError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unusableSize(let width, let height) where width < 1 || height < 1:
      "A picture of this size cannot be drawn."
    case .unusableSize(let width, let height):
      "A picture of \(width) by \(height) pixels cannot be drawn."
    case .cancelled: "Drawing was cancelled."
    case .outOfMemory: "There is not enough memory for the picture."
    case .notDecoded(let reason): "The picture cannot be shown: \(reason)."
    case .notEncoded(let reason): "The picture cannot be written: \(reason)."
    }
  }

  public var recoverySuggestion: String? {
    switch self {
    case .unusableSize(let width, let height)
    where Self.sides.contains(width) && Self.sides.contains(height):
      "Choose a smaller picture, fewer pixels along a point, or another place and scale."
    case .unusableSize: "Choose sides from 1 to \(PixelImage.maximumSide) pixels."
    case .outOfMemory: "Choose a smaller picture."
    case .notEncoded, .notDecoded, .cancelled: nil
    }
  }

  private static var sides: ClosedRange<Int> { 1...PixelImage.maximumSide }
}
