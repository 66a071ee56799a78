package dev.switchboard.memory;

import dev.switchboard.memory.MemoryQuery.Hits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;

/// A store that also keeps vectors of entries and finds the nearest ones. Implement it so that
/// [SemanticMemory] can search your store by meaning.
public interface VectorStore extends MemoryStore {
  /// An entry that has no vector yet.
  ///
  /// @param number assigned by the store, ascending from entry to entry, never reused
  record Unembedded(long number, Entry entry) {}

  /// The agent's entries without a vector of that model, in the order they were stored.
  ///
  /// @param after the number after which to begin, 0 for the first
  List<Unembedded> unembedded(String agent, String model, long after, int most);

  /// Stores the vector of the entry of that number, replacing an earlier one; without effect if the
  /// entry was deleted. The vector is deleted with the entry.
  void embed(long number, String model, Vector vector);

  /// The entries that pass the query's filters, whatever its text, and have a vector of that model:
  /// the most similar first, with the similarity as the score, at most as many as the query's
  /// limit.
  List<Hits.Hit> nearest(MemoryQuery query, String model, Vector vector);

  /// A normalized embedding: numbers whose squares add up to 1, or all 0. Immutable.
  final class Vector {
    private final float[] numbers;

    private Vector(float[] numbers) {
      this.numbers = numbers;
    }

    /// The vector of these numbers, normalized.
    ///
    /// @throws IllegalArgumentException when there are none, or one is infinite or not a number
    public static Vector of(float... given) {
      double squares = 0;
      for (float number : given) {
        squares += (double) number * number;
      }
      if (given.length == 0 || !Double.isFinite(squares)) {
        throw new IllegalArgumentException("a vector needs numbers, all of them finite");
      }
      double length = squares == 0 ? 1 : Math.sqrt(squares);
      float[] numbers = new float[given.length];
      for (int i = 0; i < given.length; i++) {
        numbers[i] = (float) (given[i] / length);
      }
      return new Vector(numbers);
    }

    /// The number of dimensions.
    public int dimensions() {
      return numbers.length;
    }

    /// The cosine similarity: 1 for the same direction, 0 for unrelated vectors or different
    /// dimensions.
    public double similarity(Vector other) {
      return similarity(FloatBuffer.wrap(other.numbers));
    }

    /// Its similarity to the vector that [#bytes()] wrote.
    public double similarity(byte[] written) {
      return similarity(floats(written));
    }

    private double similarity(FloatBuffer other) {
      if (other.remaining() != numbers.length) {
        return 0;
      }
      // Four independent sums, for parallel execution.
      float a = 0;
      float b = 0;
      float c = 0;
      float d = 0;
      int i = 0;
      for (; i + 3 < numbers.length; i += 4) {
        a += numbers[i] * other.get(i);
        b += numbers[i + 1] * other.get(i + 1);
        c += numbers[i + 2] * other.get(i + 2);
        d += numbers[i + 3] * other.get(i + 3);
      }
      for (; i < numbers.length; i++) {
        a += numbers[i] * other.get(i);
      }
      return Math.clamp((double) a + b + c + d, 0.0, 1.0);
    }

    /// The numbers, four bytes each, the least significant first.
    public byte[] bytes() {
      ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Float.BYTES);
      bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(numbers);
      return bytes.array();
    }

    private static FloatBuffer floats(byte[] written) {
      return ByteBuffer.wrap(written).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    }

    /// The numbers between brackets, such as `[0.6, 0.8]`.
    @Override
    public String toString() {
      return Arrays.toString(numbers);
    }
  }
}
