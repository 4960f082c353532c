internal import Foundation

/// Numbers at given places of a few bytes; what lies outside reads as 0.
struct LittleEndianReader {
  private let data: Data

  init(_ data: Data) { self.data = data }

  func uint16(at offset: Int) -> UInt16 { number(at: offset) }
  func uint32(at offset: Int) -> UInt32 { number(at: offset) }
  func uint64(at offset: Int) -> UInt64 { number(at: offset) }

  private func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    unsafe data.withUnsafeBytes { unsafe $0.littleEndian(at: offset) }
  }
}

extension UnsafeRawBufferPointer {
  /// The number at `offset`, at any alignment; 0 if it lies outside.
  func littleEndian<Number: FixedWidthInteger>(at offset: Int) -> Number {
    guard offset >= 0, offset <= count - MemoryLayout<Number>.size else { return 0 }
    return unsafe Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
