import Foundation
import Testing

@testable import PortolanTileCache

/// The parts of a file on a server that have arrived.
@Suite struct SparseByteSourceTests {
  private static let block = SparseByteSource.blockSize

  private func source(count: Int) -> SparseByteSource { SparseByteSource(name: "a", count: count) }

  private func numbered(_ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
  }

  @Test func `What has not arrived is asked for in whole blocks, neighbours at once`() {
    let block = Self.block
    let source = source(count: 5 * block + 10)
    for range in [block - 1..<block + 1, 3 * block..<3 * block + 1, 5 * block..<5 * block + 10] {
      #expect(throws: (any Error).self) { try source.read(range) }
    }
    #expect(source.missCount == 3)
    let missing = source.takeMissing()
    #expect(
      missing == [0..<2 * block, 3 * block..<4 * block, 5 * block..<5 * block + 10])
    #expect(source.takeMissing().isEmpty)
  }

  @Test func `Received data is read across blocks, in whichever pieces it came`() throws {
    let block = Self.block
    let all = numbered(2 * block + 10)
    let source = source(count: all.count)
    source.insert(all[block...], at: block)
    source.insert(all[..<block], at: 0)
    for range in [0..<3, block - 3..<block + 3, 2 * block + 5..<2 * block + 10, 0..<all.count] {
      #expect(try source.read(range) == all[range])
    }
    #expect(try source.read(7..<7).isEmpty)
    #expect(source.missCount == 0)
  }

  @Test func `Beyond its end nothing is read, and nothing is asked for`() {
    let source = source(count: 10)
    source.insert(Data(count: 10), at: 0)
    for range in [9..<11, -1..<1] {
      #expect(throws: (any Error).self) { try source.read(range) }
    }
    #expect(source.takeMissing().isEmpty && source.missCount == 0)
  }

  @Test func `What is too large to be kept is not asked for`() throws {
    let source = source(count: 1 << 30)
    #expect(throws: (any Error).self) { try source.read(0..<SparseByteSource.largestRead + 1) }
    #expect(source.takeMissing().isEmpty && source.missCount == 0)
    #expect(throws: (any Error).self) { try source.read(0..<SparseByteSource.largestRead) }
    #expect(source.takeMissing() == [0..<SparseByteSource.largestRead])
  }

  @Test func `Beyond the limit the least recently read entry is dropped`() throws {
    let block = Self.block
    let source = source(count: 513 * block)
    for number in 0..<512 { source.insert(Data(count: block), at: number * block) }
    #expect(try source.read(0..<1) == Data(count: 1))
    source.insert(Data(count: block), at: 512 * block)
    #expect(try source.read(0..<1) == Data(count: 1))
    #expect(try source.read(512 * block..<512 * block + 1) == Data(count: 1))
    #expect(throws: (any Error).self) { try source.read(block..<block + 1) }
    #expect(source.takeMissing() == [block..<2 * block])
  }
}
